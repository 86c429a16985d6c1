import { useEffect, useState } from "preact/hooks";
import { commandOf, graveParts, headLines, summaryWords } from "../render/view/plan-head.js";
import { editCount } from "../render/view/plan-review.js";
import { asSentence } from "../render/words/review-words.js";
import { usePage } from "./page-context.js";
import { Prose } from "./prose.js";

/** The subject of the plan, its summary, and what it was compared with. */
export function PageHead() {
  const { plan, review } = usePage().plan;
  const { workspace, environment, partial, digest } = plan;
  const [, ...compared] = headLines(plan);
  const grave = graveParts(plan).join(", ");
  return (
    <header class="head">
      <p class="brand">
        <span class="logo" aria-hidden="true" />
        agentform <span>{commandOf(plan)}</span>
      </p>
      <h1>
        {workspace} {environment !== null && <span class="environment">{environment}</span>}
        {partial && <span class="partial">partial</span>}
      </h1>
      {grave !== "" && (
        <p class="verdict">
          <Prose text={asSentence(grave)} />
        </p>
      )}
      <p class="summary">{[summaryWords(plan), ...editCount(review).map(asSentence)].join(" ")}</p>
      {compared.map((line) => (
        <p class="compared">{line}</p>
      ))}
      <p class="digest">
        <span>Digest</span>
        <code>{digest}</code>
        <CopyButton text={digest} label="Copy the digest" />
      </p>
    </header>
  );
}

// A button that copies a text, and says that it has.
function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return undefined;
    const timer = setTimeout(() => setSaid(""), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => setSaid((await copyText(text)) ? "Copied" : "Not copied");
  return (
    <button type="button" class="quiet copy" onClick={copy} aria-label={label}>
      <span role="status">{said === "" ? "Copy" : said}</span>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A frame without the permission may still copy a selection.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}

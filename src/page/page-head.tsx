import { CopyButton } from "./copy-button.js";
import type { PageData } from "../render/html/page-data.js";
import { Prose } from "./prose.js";

/** The subject of the plan, its summary, and what it was compared with. */
export function PageHead({ data }: { data: PageData }) {
  const { command, workspace, environment, compared, partial, verdict, summary, digest, review } = data;
  return (
    <header class="head">
      <p class="brand">
        <span class="logo" aria-hidden="true" />
        agentform <span>{command}</span>
      </p>
      <h1>
        {workspace} {environment !== null && <span class="environment">{environment}</span>}
        {partial && <span class="partial">partial</span>}
      </h1>
      {verdict.map((text) => (
        <p class="verdict">
          <Prose text={text} />
        </p>
      ))}
      <p class="summary">{summary}</p>
      {review.counted !== "" && <p class="counted">{review.counted}</p>}
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

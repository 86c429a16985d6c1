import { codeParts } from "../render/words/code-parts.js";

/** A sentence, with the parts between backticks as code. */
export function Prose({ text }: { text: string }) {
  const parts = codeParts(text);
  return <>{parts.map((part) => (part.isCode ? <code class="quoted">{part.text}</code> : part.text))}</>;
}

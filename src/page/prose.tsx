/** A sentence, what stands between backticks in it as code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split("`");
  // An odd one out closes nothing, and is a character like any other.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code class="quoted">{part}</code> : part))}</>;
}

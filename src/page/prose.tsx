/** A sentence, with the parts between backticks as code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split("`");
  // A last backtick without a partner is an ordinary character.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code class="quoted">{part}</code> : part))}</>;
}

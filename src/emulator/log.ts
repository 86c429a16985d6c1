/** Renders a request as one line: method, path, status (`-` if not answered) and what was done. */
export function renderLogLine(method: string, path: string, status: number, did: string): string {
  return escapeControls(`${method} ${path} ${status === 0 ? "-" : status} ${did}`);
}

function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

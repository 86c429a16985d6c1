/** Says whether a text can be an ID: not empty, 1,000 characters at most, none that controls or cannot be seen. */
export function isId(text: string): boolean {
  return text !== "" && text.length <= 1000 && !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(text);
}

/** Makes a function that computes its result once for each text. */
export function once<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const worked = answer(text);
    known.set(text, worked);
    return worked;
  };
}

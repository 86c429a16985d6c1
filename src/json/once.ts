/** Makes a function that works out its answer to each text once. */
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

/** Makes a function that computes its result once. */
export function lazy<T>(answer: () => T): () => T {
  let found: { readonly answer: T } | undefined;
  return () => (found ??= { answer: answer() }).answer;
}

/** Makes a function that computes its result again only if what it is of is not the same as the last time. */
export function latest<Key, T>(
  answer: (key: Key) => T,
  isSame: (one: Key, other: Key) => boolean,
): (key: Key) => T {
  let last: { readonly key: Key; readonly answer: T } | undefined;
  return (key) => {
    if (!last || !isSame(last.key, key)) last = { key, answer: answer(key) };
    return last.answer;
  };
}

/** Makes a function that computes its result once for each text or number. */
export function once<T, Key extends string | number = string>(answer: (key: Key) => T): (key: Key) => T {
  return kept(new Map(), answer);
}

/** Makes a function that computes its result once for each object, for as long as the object is there. */
export function oncePer<Key extends object, T>(answer: (key: Key) => T): (key: Key) => T {
  return kept(new WeakMap(), answer);
}

interface AnswerTable<Key, T> {
  has(key: Key): boolean;
  get(key: Key): T | undefined;
  set(key: Key, value: T): unknown;
}

function kept<Key, T>(known: AnswerTable<Key, T>, answer: (key: Key) => T): (key: Key) => T {
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as T;
    const worked = answer(key);
    known.set(key, worked);
    return worked;
  };
}

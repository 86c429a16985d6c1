const strangers = [null, true, 1.5, "", "text", "${var:name}", "$${literal}", [], {}, [1], { a: 1 }];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The value again and again, each time with one of its parts gone or replaced by a stranger. */
export function* variants(value: unknown): Generator<unknown> {
  yield* strangers;
  if (!isObject(value)) return;
  for (const [name, part] of Object.entries(value)) {
    if (Array.isArray(value)) {
      const at = Number(name);
      for (const other of variants(part)) yield value.with(at, other);
      yield value.toSpliced(at, 1);
    } else {
      for (const other of variants(part)) yield { ...value, [name]: other };
      const { [name]: _gone, ...rest } = value;
      yield rest;
    }
  }
}

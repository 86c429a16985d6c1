type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that have a value. */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

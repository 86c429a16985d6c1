/** Keeps equal values once; a value is named by its index. */
export class Distinct<T> {
  readonly values: T[] = [];
  readonly #indexes = new Map<string, number>();

  /** Gives the index of a value that is equal, which is added if there is none. */
  indexOf(value: T): number {
    const key = JSON.stringify(value);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

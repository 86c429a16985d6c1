/** Does the same for many, so many of them at a time; the answers have the order of the items. */
export async function mapAtOnce<From, To>(
  items: readonly From[],
  most: number,
  work: (item: From) => Promise<To>,
): Promise<To[]> {
  const answers: To[] = [];
  const left = items.entries();
  const run = async (): Promise<void> => {
    for (const [index, item] of left) answers[index] = await work(item);
  };
  await Promise.all(Array.from({ length: most }, run));
  return answers;
}

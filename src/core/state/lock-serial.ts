/** Finds the serial in the text of a rendered lock, or of what takes its place, without parsing it. */
export function serialIn(text: string): number | undefined {
  // Each member of the whole has a line of its own, and nothing inside of them is indented so little.
  const at = text.indexOf('\n  "serial": ');
  if (at === -1) return undefined;
  const [, serial] = /^\n {2}"serial": (\d{1,16}),?(?:\n|$)/.exec(text.slice(at, at + 40)) ?? [];
  return serial === undefined ? undefined : Number(serial);
}

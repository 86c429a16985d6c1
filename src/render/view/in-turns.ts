/** Gives of each rule its first note, then its second: hundreds of one rule take no room from another's only one. */
export function inTurns<Note extends { readonly code: string }>(notes: readonly Note[]): Note[][] {
  const told = new Map<string, number>();
  const turns: Note[][] = [];
  for (const note of notes) {
    const turn = told.get(note.code) ?? 0;
    told.set(note.code, turn + 1);
    (turns[turn] ??= []).push(note);
  }
  return turns;
}

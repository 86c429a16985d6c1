/** Gives the words of an example after `agentform`, as a shell gives them; without what it does with the output. */
export function wordsOf(line: string): string[] {
  const [command = ""] = line.split(/ [|>] /);
  const words = [...command.matchAll(/'([^']*)'|[^\s']+/g)].map(([word, quoted]) => quoted ?? word);
  if (words.shift() !== "agentform") throw new Error(`an example that is no command of agentform: ${line}`);
  return words;
}

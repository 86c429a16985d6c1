// The commands that GitHub's runner registers; what it does not know is a line like any other.
const registered = [
  "add-mask",
  "add-matcher",
  "add-path",
  "debug",
  "echo",
  "endgroup",
  "error",
  "group",
  "notice",
  "remove-matcher",
  "save-state",
  "set-env",
  "set-output",
  "stop-commands",
  "warning",
];

/** Gives the lines of a job's log that GitHub, Azure Pipelines or GitLab take for a command. */
export function commandLines(log: string): string[] {
  const lines = log.split(/\r\n|\r|\n/).filter((line) => isCommand(line) || isCommand(withoutUnseen(line)));
  return [...lines, ...(log.match(/section_(?:start|end):\d+:[^\r\n]*\r\x1b\[0K/g) ?? [])];
}

// A comparison by the rules of a language finds `##[` in `##\u200b[`.
function withoutUnseen(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");
}

function isCommand(line: string): boolean {
  const [, name = ""] = /^::([^ :]*)(?: .*?)?::/.exec(line.replace(/^[\s\x85]+/, "")) ?? [];
  const [, bracketed = ""] = /##\[([^\] ]*)[^\]]*\]/.exec(line) ?? [];
  return (
    registered.includes(name.toLowerCase()) ||
    registered.includes(bracketed.toLowerCase()) ||
    /##vso\[/i.test(line)
  );
}

/** Texts that a CI takes for commands where they are written as they are. */
export const commandTexts = [
  "::error::forged",
  "\ufeff::add-mask::e",
  " \u00a0\u3000::set-output name=a::b",
  "\u200b\u2060::stop-commands::x",
  ":\u00ad:error::forged",
  "\n::warning file=a::forged",
  "\r::error::forged",
  "\r\n\t::group::forged",
  "\u2028::error::forged",
  "\x85::error::forged",
  "\x0b\x0c::error::forged",
  "text ##[error]forged",
  "#\ufe0f#\u200d[set-env name=A]b",
  "###[group]x",
  "##vso[task.setvariable variable=a]b",
  "##VSO[task.complete result=Failed;]",
  "\u001b[0Ksection_start:1:forged\r\u001b[0Kforged",
  "section_end:1:step_script\r\u001b[0K",
] as const;

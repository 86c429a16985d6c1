/**
 * The secrets of the tests, by the variable that holds them. Each has characters that every encoding writes in
 * another way, and a core of plain ones, which most leave as it is.
 */
export const canaries = {
  AGENT_API_KEY: 'ak "\\/+ %&<Zk7canaryKEY9x',
  CREDENTIAL: "cr\"\\/+ é'&<Zk7canaryCRED9x\n",
  SIGNING_KEY: "sg/+é😀Zk7canarySIGN9x=",
  HEADER_TOKEN: 'hd"\\ é/+Zk7canaryHEAD9x',
  ENHANCER_KEY: 'en"\\ é/+Zk7canaryENHA9x',
  PROMPT_TOKEN: 'pr"\\ é/+Zk7canaryPROM9x',
} as const;

export type Variable = keyof typeof canaries;

const variables = Object.keys(canaries) as Variable[];

/** The canaries that a text holds, each with the form in which it was found. */
export function findCanaries(text: string): string[] {
  const folded = text.toLowerCase();
  return variables.flatMap((variable) =>
    formsOf(canaries[variable])
      .filter(([, form]) => form !== "" && folded.includes(form.toLowerCase()))
      .map(([name]) => `${variable} ${name}`),
  );
}

/** The forms of a value that are looked for, each by its name. */
export function formsOf(value: string): [name: string, form: string][] {
  const core = /Zk7canary\w+9x/.exec(value)?.[0] ?? value;
  const json = JSON.stringify(value).slice(1, -1);
  return [
    ["raw", value],
    ["trimmed", value.trim()],
    ["core", core],
    // Twice the same, for what was cut at its end or its beginning.
    ["start of core", core.slice(0, -3)],
    ["end of core", core.slice(3)],
    ["json", json],
    ["json in json", JSON.stringify(json).slice(1, -1)],
    ["url", encodeURIComponent(value)],
    ["form", new URLSearchParams({ v: value }).toString().slice(2)],
    ["hex", Buffer.from(value).toString("hex")],
    ["hex core", Buffer.from(core).toString("hex")],
    ["base64", Buffer.from(value).toString("base64").replace(/=+$/, "")],
    ["base64url", Buffer.from(value).toString("base64url")],
    ...[0, 1, 2].map((shift): [string, string] => [`base64 core ${shift}`, innerBase64(core, shift)]),
  ];
}

// What base64 makes of a text that stands somewhere in a longer one, less what its neighbours have a part in.
function innerBase64(text: string, shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
  const sure = bytes.subarray(0, bytes.length - (bytes.length % 3));
  return sure.toString("base64").slice(shift === 0 ? 0 : 4);
}

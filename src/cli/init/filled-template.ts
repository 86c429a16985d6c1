/** What a template is filled with, by name. */
export type TemplateValues = Readonly<Record<string, string | boolean | readonly string[]>>;

/** Fills `<<name>>`, alone on a line also with lines; keeps what is from `<<if name>>` to `<<end>>` if it is true. */
export function fillTemplate(template: string, values: TemplateValues): string {
  const valueOf = (name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a template asks for \`${name}\`, which has no value`);
    return value;
  };
  return template
    .replaceAll(/^<<if ([a-z-]+)>>\n([^]*?)^<<end>>\n/gm, (_, name: string, lines: string) =>
      valueOf(name) === true ? lines : "",
    )
    .replaceAll(/^( *)<<([a-z-]+)>>\n/gm, (_, indent: string, name: string) => {
      const lines = [valueOf(name)].flat();
      return lines.map((line) => `${indent}${String(line)}\n`).join("");
    })
    .replaceAll(/<<([a-z-]+)>>/g, (_, name: string) => String(valueOf(name)));
}

/** Gives the name that an environment of a workspace has at the code host, by the suffix of its jobs. */
export function hostEnvironment(suffix: string, environment: string): string {
  return suffix === "" ? environment : `${suffix.slice(1)}-${environment}`;
}

/** Gives what tells the names of a workspace's jobs from those of the other workspaces, as values of templates. */
export function namesOf(suffix: string): TemplateValues {
  const name = suffix.slice(1);
  return suffix === "" ? { suffix, of: "", scope: "" } : { suffix, of: ` of ${name}`, scope: `${name}-` };
}

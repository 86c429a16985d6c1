import { stringify } from "yaml";
import type { LockLocation } from "../../generated/workspace.js";
import { templates } from "../../generated/templates.js";
import { fillTemplate, type TemplateValues } from "./filled-template.js";

/** A workspace that `init` can make. */
export interface NewWorkspace {
  readonly name: string;
  /** By path; all of it is ready to plan. */
  readonly files: Readonly<Record<string, string>>;
  /** The environments; `default` is the default one. */
  readonly environments: readonly string[];
  /** The environment variables that an apply needs. */
  readonly secrets: readonly string[];
  /** As its manifest has it. */
  readonly lock: LockLocation;
}

/** What a new workspace has: one of each kind, a fleet, or nothing but its manifest. */
export type WorkspaceForm = "single" | "fleet" | "empty";

/** Where a new workspace keeps its state: in files, on a git ref, or in a project of GitLab. */
export type NewStore =
  | { readonly store: "file" | "git" }
  | { readonly store: "http"; readonly project: string };

/** The variable with the key of the seal of a new workspace whose state is not in files. */
export const newSealKey = "STATE_SEAL";

/** The line of `.gitattributes` that names the locks which agentform merges. */
export const mergedLocks = "agentform*.lock merge=agentform";

/** The command that makes git merge locks with agentform; each clone needs it, as git takes no command from a commit. */
export const mergeDriver = 'git config merge.agentform.driver "agentform lock merge %O %A %B"';

const forms = {
  single: {
    folders: ["every", "single", "shared"],
    environments: ["default"],
    secrets: ["AGENT_API_KEY", "PROVIDER_API_KEY", "WEATHER_TOKEN"],
  },
  fleet: {
    folders: ["every", "fleet", "shared"],
    environments: ["staging", "production"],
    secrets: ["AGENT_API_KEY", "PROVIDER_API_KEY", "HELPDESK_TOKEN"],
  },
  empty: { folders: ["every", "empty"], environments: ["default"], secrets: ["AGENT_API_KEY"] },
} as const;

/** Gives a new workspace. */
export function newWorkspace(name: string, form: WorkspaceForm, kept: NewStore): NewWorkspace {
  const { folders, secrets, ...rest } = forms[form];
  const sealed = kept.store === "file" ? [] : [newSealKey];
  // Only without jobs is it in files.
  const { "agentform.yaml": manifest = "", ...others } = filesOf(folders, {
    name: scalar(name),
    jobs: kept.store !== "file",
  });
  const files = {
    "agentform.yaml": manifest + lockText(kept, name),
    ...others,
    ".gitignore": ".agentform/\n",
  };
  // A prompt is sent with its line ends, so these are the same on every machine. agentform merges lock files.
  const merged = kept.store === "file" ? `${mergedLocks}\n` : "";
  const attributes = { ".gitattributes": `prompts/** text=auto eol=lf\n${merged}` };
  const all = [...secrets, ...sealed];
  return { ...rest, name, secrets: all, lock: lockOf(kept, name), files: { ...files, ...attributes } };
}

function lockOf(kept: NewStore, name: string): LockLocation {
  if (kept.store !== "http") return kept;
  return { store: "http", gitlab: { project: kept.project, name } };
}

function lockText(kept: NewStore, name: string): string {
  if (kept.store === "file") return "";
  const project = kept.store === "http" ? kept.project : "";
  return fillTemplate(templates[`lock/${kept.store}.yaml`], { name: scalar(name), project });
}

// A name such as `2026` or `true` is a text in quotes alone.
function scalar(name: string): string {
  return stringify(name, { lineWidth: 0 }).trimEnd();
}

// As somebody who is new would read them.
const reading =
  "policies toolsets openapi rules agents/support agents prompts/support prompts credentials AGENTS".split(
    " ",
  );

function filesOf(folders: readonly string[], values: TemplateValues): Record<string, string> {
  const placeOf = (path: string) => reading.findIndex((folder) => path.startsWith(folder));
  const files = Object.entries(templates).flatMap(([path, text]) => {
    const folder = folders.find((each) => path.startsWith(`${each}/`));
    return folder === undefined ? [] : [[path.slice(folder.length + 1), fillTemplate(text, values)] as const];
  });
  return Object.fromEntries(files.toSorted(([one], [other]) => placeOf(one) - placeOf(other)));
}

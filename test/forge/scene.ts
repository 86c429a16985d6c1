import { join } from "node:path";
import { main } from "../../src/cli/main.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";

/** How a command ended, and what it wrote. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A saved plan of a workspace of one policy. */
export interface SavedPlan {
  readonly file: string;
  /** Changes the policy and plans anew. */
  change(topics: readonly string[]): Promise<void>;
  /** Comments with the plan. */
  comment(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ran>;
}

/** The line by which the plan's comment is found. */
export const marker = "<!-- agentform: test -->";

/** Makes a workspace of one policy and saves its plan. */
export async function savePlan(topics: readonly string[] = ["weapons"]): Promise<SavedPlan> {
  const { directory, write } = makeWorkspace({});
  const file = join(directory, "plan.json");
  const change = async (wanted: readonly string[]) => {
    const spec = { name: "Strict", banned_topics: { enabled: true, topics: wanted } };
    write({ "policies/strict.yaml": documentText("Policy", "strict", spec) });
    const { code, err } = await run(directory, ["plan", "--out", file], {});
    if (code !== 0) throw new Error(err);
  };
  await change(topics);
  return {
    file,
    change,
    comment: (env, ...args) =>
      run(directory, ["comment", ...(args.includes("--plan") ? [] : ["--plan", file]), ...args], env),
  };
}

async function run(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  let [out, err] = ["", ""];
  const code = await main(args, {
    env,
    cwd,
    isTerminal: false,
    canAsk: false,
    showsProgress: false,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

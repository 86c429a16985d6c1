import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeEditedWorkspace } from "./edited-workspace.mjs";
import { compare, median, ratio, run } from "./measure.mjs";
import { startServer } from "./server.mjs";
import { row } from "./table.mjs";

const [count, bytes] = [10_000, 60_000];

/** Measures a plan in which all of 10,000 resources change, in each form, and its comment on a pull request. */
export async function measureChanges({ agentform, scratch, rounds = 5 }) {
  const directory = join(scratch, "changes");
  await makeEditedWorkspace(agentform, directory, count);
  const saved = join(scratch, "changes.json");
  const save = agentform.plan(directory, "--out", saved);
  await run(save.args, save.env);
  const forge = await startServer(new URL("forge-server.mjs", import.meta.url));
  try {
    const plan = (format) => agentform.plan(directory, "--format", format);
    const measured = await compare(
      {
        text: plan("text"),
        json: plan("json"),
        markdown: plan("markdown"),
        html: plan("html"),
        save,
        show: agentform.on(directory, "show", saved),
        comment: commentOn(forge, agentform, directory, saved),
      },
      rounds,
    );
    return rowsOf(measured);
  } finally {
    forge.stop();
  }
}

function commentOn(forge, agentform, directory, saved) {
  const event = `${saved}.event`;
  writeFileSync(event, JSON.stringify({ pull_request: { number: 1, base: { ref: "main" } } }));
  const { args, env } = agentform.on(directory, "comment", "--on", "github", "--plan", saved);
  const github = {
    GITHUB_TOKEN: "token",
    GITHUB_REPOSITORY: "owner/name",
    GITHUB_EVENT_PATH: event,
    GITHUB_API_URL: forge.url,
  };
  const after = async () => {
    const sent = await forge.seen();
    if (!(sent > bytes / 2 && sent <= bytes)) throw new Error(`the comment has ${sent} bytes`);
  };
  return { args, env: { ...env, ...github }, after };
}

function rowsOf({ text, json, markdown, html, save, show, comment }) {
  const floor = { name: "as text", seconds: median(text) };
  const work = `plan, ${count.toLocaleString("en")} changes, warm`;
  const rowOf = (name, runs, more) =>
    row({ work: name, seconds: median(runs), memory: median(runs, "memory"), ...more });
  const beside = (runs) => ({ floor, ratio: ratio(runs, text) });
  return [
    rowOf(`${work}, as text`, text, { target: { seconds: 2.3 } }),
    rowOf("the same as JSON", json, beside(json)),
    rowOf(`the same as Markdown of ${bytes / 1000} kB`, markdown, beside(markdown)),
    rowOf("the same as HTML", html, beside(html)),
    rowOf("the same as text, and saved", save, beside(save)),
    rowOf("show of the saved plan", show, beside(show)),
    rowOf(`comment of the saved plan, cut to ${bytes / 1000} kB`, comment, beside(comment)),
  ];
}

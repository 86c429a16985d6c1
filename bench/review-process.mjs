/** Puts a plan of 100,000 updates in the order of a review, and prints how long that takes. */
import { reviewOf } from "../src/core/review/review.ts";

const change = process.argv[2] === "prompts" ? editedPrompt : otherModel;
const actions = Array.from({ length: 100_000 }, (_, index) => ({
  address: `agent:a${String(index).padStart(6, "0")}`,
  action: "update",
  reasons: [],
  changes: [change(index)],
  affects: [],
  waits_for: [],
  reads: {},
}));
const plan = { actions, notes: [], options: {}, summary: { update: actions.length, unchanged: 0 } };
const text = timed(() => JSON.stringify(plan).length);
const review = timed(() => {
  if (reviewOf(plan).edits !== 5) throw new Error("the plan has another number of edits");
});
console.log(JSON.stringify({ review, text }));

function timed(run) {
  const begun = performance.now();
  run();
  return (performance.now() - begun) / 1000;
}

// Every prompt is different, and so is the place of the new line; the line is one of five.
function editedPrompt(index) {
  const lines = Array.from(
    { length: 18 },
    (_, at) => `Line ${at} of agent ${index}: be kind, and say what is done.`,
  );
  const edited = lines.toSpliced(index % 18, 0, `Rule ${index % 5}: answer in the language of the question.`);
  return { path: "system_prompt", before: lines.join("\n"), after: edited.join("\n") };
}

function otherModel(index) {
  return { path: "model", before: "small-1", after: `large-${index % 5}` };
}

/** The result table of a run. */

const heads = ["work", "figure", "memory", "floor", "ratio", "target", ""];
const units = {
  ratio: (value) => `${value} ×`,
  seconds: (value) => span(value),
  memory: (value) => `${value} MB`,
};

/**
 * A row of measured figures: seconds, memory in MB, the ratio to a floor of `{name, seconds}`. `target` gives the
 * maximum of each.
 */
export function row({ work, target = {}, floor, ...figures }) {
  const limits = Object.entries(target);
  return {
    work,
    figure: span(figures.seconds),
    memory: Number.isFinite(figures.memory) ? `${figures.memory.toFixed(0)} MB` : "",
    floor: floor === undefined ? "" : `${floor.name}: ${span(floor.seconds)}`,
    ratio: figures.ratio === undefined ? "" : `${figures.ratio.toFixed(2)} ×`,
    target: limits.map(([name, most]) => `≤ ${units[name](most)}`).join(", "),
    verdict: limits.length === 0 ? "" : verdict(limits, figures),
  };
}

/** A row with only text. */
export function wordsRow(work, figure, target = "", met = undefined) {
  const verdict = met === undefined ? "" : met ? "met" : "missed";
  return { work, figure, memory: "", floor: "", ratio: "", target, verdict };
}

/** Renders rows as a Markdown table with aligned columns. */
export function renderTable(rows) {
  const lines = [heads, ...rows.map((each) => Object.values(each))];
  const widths = heads.map((_, at) => Math.max(3, ...lines.map((cells) => cells[at].length)));
  const render = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [render(lines[0]), rule, ...lines.slice(1).map(render)].join("\n");
}

/** A duration in a readable unit. */
function span(seconds) {
  return seconds < 1 ? `${(seconds * 1000).toFixed(0)} ms` : `${seconds.toFixed(2)} s`;
}

// A figure that could not be measured is reported, not counted as met.
function verdict(limits, figures) {
  const unknown = limits.filter(([name]) => !Number.isFinite(figures[name])).map(([name]) => name);
  if (limits.some(([name, most]) => figures[name] > most)) return "missed";
  return unknown.length === 0 ? "met" : `not measured: ${unknown.join(", ")}`;
}

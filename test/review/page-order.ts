import { pageChange } from "../../src/page/page-change.js";
import { PlanIndex } from "../../src/page/plan-index.js";
import type { Action, Change } from "../../src/generated/plan.js";
import type { PagePlan } from "../../src/render/html/page-plan.js";
import type { Thing } from "./review-order.js";

/** Gives what the page of a plan shows unfolded after its counts, in its order; undefined if the page has no data. */
export function thingsOfPage(html: string): Thing[] | undefined {
  const text = /<script type="application\/json" id="plan">(.*?)<\/script>/s.exec(html)?.[1];
  if (text === undefined) return undefined;
  const page = new PlanIndex(JSON.parse(text) as PagePlan);
  return page.sections.flatMap(({ items }) =>
    items.flatMap((item): Thing[] => {
      if (item.sort === "state")
        return [
          {
            sort: "state",
            of: [item.name],
            text: JSON.stringify([item, item.change.changes.map((each) => shown(each))]),
          },
        ];
      if (item.sort === "setting")
        return [{ sort: "setting", of: [item.change.path], text: JSON.stringify(shown(item.change)) }];
      if (item.sort === "note") {
        const { code, addresses, change, ...note } = item.note;
        const about = item.change && change ? shown(change) : null;
        return [{ sort: `note ${code}`, of: addresses, text: JSON.stringify([note, about]) }];
      }
      if (item.sort !== "edit" || item.isHeld) return [];
      const { action, all } = item;
      const { reasons, leaves, follows } = page.aboutOf(action);
      const about = [action.action, reasons, leaves, follows];
      return [
        {
          sort: "only here",
          of: [action.address],
          text: JSON.stringify([all.map((each) => shown(each, action)), about]),
        },
      ];
    }),
  );
}

// Lines are texts, for a part of a line that changed is a part of its own.
function shown(change: Change, action?: Action) {
  const { lines, ...rest } = pageChange(change, action);
  return {
    ...rest,
    lines: lines.map((line) =>
      "segments" in line ? line.segments.map(({ text }) => text).join("") : Object.values(line).join(" "),
    ),
  };
}

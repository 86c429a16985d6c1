import type { CodeLens } from "vscode-languageserver/node";
import { addTo } from "../json/groups.js";
import { WrittenText } from "../core/position/written-text.js";
import { isYaml } from "./occurrence.js";
import { rangeIn, type AskedFile } from "./spot.js";

/** Gives what plans would do with each document of a file; nothing for those that stay as they are. */
export async function planLenses({ workspace, file, text }: AskedFile): Promise<CodeLens[]> {
  if (!isYaml(file)) return [];
  const plans = await workspace.plans();
  const titles = new Map<number, string[]>();
  for (const fleet of workspace.fleets()) {
    const { environment } = fleet.settings;
    const actions = plans.find((each) => each.environment === environment)?.plan?.actions ?? [];
    const counts = new Map<number, Map<string, number>>();
    for (const { address, action } of actions) {
      const resource = fleet.resources.get(address);
      if (resource?.file !== file) continue;
      const { document = 0 } = resource.place(["metadata", "name"]);
      const ofDocument = counts.get(document) ?? new Map<string, number>();
      counts.set(document, ofDocument.set(action, (ofDocument.get(action) ?? 0) + 1));
    }
    for (const [document, ofDocument] of counts) {
      const said = Array.from(ofDocument, ([action, count]) => wordsOf(action, count)).join(", ");
      const where = environment === null ? "" : `${environment}: `;
      addTo(titles, document, `${where}${said}`);
    }
  }
  return new WrittenText(text).heads().flatMap(({ document, range }) => {
    const said = titles.get(document);
    if (!said) return [];
    // A lens without a command is a text.
    const command = { title: said.join(" · "), command: "" };
    return [{ range: rangeIn(text, { start: range.start, end: range.start }), command }];
  });
}

function wordsOf(action: string, count: number): string {
  return action === "unknown" || action === "blocked" ? `${count} ${action}` : `${count} to ${action}`;
}

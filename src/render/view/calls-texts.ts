import { inCode } from "../../core/finding/quotation.js";
import type { CallsSide, Plan } from "../../generated/plan.js";
import { groupBy } from "../../json/groups.js";
import { canonical, equal, type Json } from "../../json/json.js";
import type { SaidItem } from "./plan-section.js";
import { said } from "./said-items.js";
import { countText, namesText } from "../words/count-text.js";

/** Says where calls and keys go, those that change first; once for all tool sets of which it is the same. */
export function callsItems({ calls = [] }: Plan): SaidItem[] {
  const groups = groupBy(calls, ({ before, after }) =>
    canonical([before ? uncounted(before) : null, uncounted(after)] as unknown as Json),
  );
  const items = [...groups.values()].map((group) => {
    const names = group.map(({ toolset }) => toolset);
    const [before, after] = [group.map((each) => each.before), group.map((each) => each.after)].map(inAll);
    const text = `${namesText(names.map(inCode))}; ${after ? turnText(before, after) : ""}`;
    return { isNew: !before, item: { ...said(text), names } };
  });
  return items.toSorted((one, other) => Number(one.isNew) - Number(other.isNew)).map(({ item }) => item);
}

function uncounted({ servers, ...others }: CallsSide): object {
  return { ...others, servers: servers.map(({ address }) => address) };
}

/** Gives equal sides as one, with the operations of all. */
function inAll(sides: readonly (CallsSide | undefined)[]): CallsSide | undefined {
  const [first] = sides;
  if (!first) return undefined;
  const servers = first.servers.map((server, index) => {
    const operations = sides.reduce((sum, side) => sum + (side?.servers[index]?.operations ?? 0), 0);
    return { ...server, operations };
  });
  return { ...first, servers };
}

function turnText(before: CallsSide | undefined, after: CallsSide): string {
  const [was, is] = [before && partsOf(before), partsOf(after)];
  return Object.entries(is)
    .flatMap(([what, now]) => {
      const old = was?.[what] ?? now;
      if (now.length + old.length === 0) return [];
      if (!equal(old, now)) return [`${what}: ${listOf(old)} → ${listOf(now)}`];
      // Of what stays as it is, only what can go elsewhere with the rest is worth a look.
      return was === undefined || kept.has(what) ? [`${what}: ${listOf(now)}`] : [];
    })
    .join("; ");
}

const kept: ReadonlySet<string> = new Set(["calls", "sent along"]);

function partsOf({
  servers,
  tokens = [],
  callbacks = [],
  secrets = [],
}: CallsSide): Record<string, string[]> {
  return {
    calls: servers.map(serverText),
    tokens: tokens.map(inCode),
    callbacks: callbacks.map(inCode),
    "sent along": secrets.map(
      ({ field, variables }) => `${inCode(field)} (${variables.map(inCode).join(", ")})`,
    ),
  };
}

function serverText({ address, operations, written }: CallsSide["servers"][number]): string {
  const count = countText(operations, "operation");
  const notes = [...(written === undefined ? [] : [`host written ${inCode(written)}`]), count];
  // What begins with a variable may lead anywhere.
  const isRelative = !/^(?:[a-z][a-z0-9+.-]*:)?\/\/|^[^/?#]*\{/i.test(address);
  return `${inCode(address)} (${[...(isRelative ? ["no host"] : []), ...notes].join(", ")})`;
}

// All of them, for any may be the one that is not meant.
function listOf(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.join(", ");
}

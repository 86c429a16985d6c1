import { isObject, type JsonObject } from "../../../src/json/json.js";
import { shuffled, type Dice } from "../dice.js";
import { within } from "../draft.js";
import { reading } from "./apis.js";
import { deskOf, languageOf, moving, type Roster } from "./fleet.js";
import { deskPrompt, sharedLines, titles } from "./prompts.js";
import { addItem, dataAt, rewrite, textAt, type World } from "./world.js";

/** What an honest edit has to work with. */
interface Scene {
  readonly world: World;
  readonly roster: Roster;
  readonly dice: Dice;
}

/** An edit that harms nobody. */
interface HonestEdit {
  readonly name: string;
  /** How often a storm may have it. */
  readonly most?: number;
  readonly make: (scene: Scene) => void;
}

/** Rewords a line by hand in many of the desks. */
const inManyDesks = (name: string, before: string, after: string): HonestEdit => ({
  name,
  make({ world, roster: { desks }, dice }) {
    const many = shuffled(desks, dice).slice(0, Math.ceil((desks.length * (3 + dice(8))) / 10));
    for (const desk of many) rewrite(world, `prompts/desk-${desk}.md`, before, after);
  },
});

const some = <Item>(items: readonly Item[], dice: Dice): Item => {
  const item = items[dice(items.length)];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
};

/** Gives the operations of an API, all of them. */
function operationsIn(world: World, api: string): JsonObject[] {
  const items = Object.values(dataAt(world, `openapi/${api}.json`, "paths"));
  return items.flatMap((item) =>
    isObject(item) ? Object.values(item).filter((each) => isObject(each)) : [],
  );
}

/** Gives the entries of the manifest's defaults that are for a kind. */
export function defaultsOf(world: World, kind: string): JsonObject[] {
  const { defaults } = dataAt(world, "agentform.yaml", "spec");
  return (Array.isArray(defaults) ? defaults : [])
    .filter((each) => isObject(each))
    .filter((each) => each.kind === kind);
}

/** Edits that change many resources at once. */
export const wideEdits: readonly HonestEdit[] = [
  inManyDesks("greeting", sharedLines.greeting, "Greet the customer by name and thank them for writing."),
  inManyDesks("typo", "langauge", "language"),
  inManyDesks("wording", "when it is missing", "if it is missing"),
  inManyDesks("hours", "9 to 17", "8 to 18"),
  inManyDesks("closing", "with a friendly line", "with a short, friendly line"),
  inManyDesks("title", titles.work, "## How to work"),
  inManyDesks("new-line", sharedLines.look, `- Offer a link to the help pages.\n${sharedLines.look}`),
  inManyDesks("line-gone", "- Send a copy of an invoice.\n", ""),
  {
    name: "model-everywhere",
    make: ({ world }) => void (dataAt(world, "agentform.yaml", "spec", "variables").model = "medium-2"),
  },
  {
    name: "release",
    make: ({ world }) => void (dataAt(world, "agentform.yaml", "spec", "variables").release = "2026.5"),
  },
  {
    name: "shared-manner",
    make: ({ world }) =>
      rewrite(world, "prompts/shared/manner.md", "brief and friendly", "brief, friendly and clear"),
  },
];

/** Edits in one place each, some of which change a few resources. */
export const smallEdits: readonly HonestEdit[] = [
  {
    name: "one-prompt",
    most: 4,
    make({ world, roster, dice }) {
      const desk = some(roster.desks, dice);
      const [line] = /^Custom .*$/m.exec(textAt(world, `prompts/desk-${desk}.md`)) ?? [""];
      rewrite(world, `prompts/desk-${desk}.md`, line, `${line.replace("Custom", "Good custom")} Be quick.`);
    },
  },
  {
    name: "one-description",
    most: 2,
    make({ world, roster, dice }) {
      const spec = dataAt(world, `agents/staff-${some(roster.staff, dice)}.yaml`, "spec");
      spec.description = `${String(spec.description).replace(".", "")}, on weekdays.`;
    },
  },
  {
    name: "new-language",
    make({ world }) {
      dataAt(world, "languages.yaml").sv = languageOf("sv", "Swedish");
    },
  },
  {
    name: "new-reading-operations",
    most: 2,
    make({ world, roster, dice }) {
      const paths = dataAt(world, `openapi/${some(roster.apis, dice)}.json`, "paths");
      for (const noun of ["branches", "prices"].slice(dice(2)))
        paths[`/${noun}`] = { get: reading(`list-${noun}`, noun) };
    },
  },
  {
    name: "new-api-descriptions",
    most: 2,
    make({ world, roster, dice }) {
      for (const operation of shuffled(operationsIn(world, some(roster.apis, dice)), dice).slice(
        0,
        1 + dice(3),
      ))
        operation.description = `${String(operation.description).replace(".", "")}, newest first.`;
    },
  },
  {
    name: "new-parameter",
    make({ world, roster, dice }) {
      addItem(some(operationsIn(world, some(roster.apis, dice)), dice), "parameters", {
        in: "query",
        name: "limit",
        schema: { type: "integer", maximum: 100 },
      });
    },
  },
  {
    name: "labels",
    make({ world, roster, dice }) {
      const file = `agents/desk-${some(roster.desks, dice)}.yaml`;
      dataAt(world, file, "metadata", "labels").group = "front-desks";
    },
  },
  {
    name: "stricter-threshold",
    make({ world }) {
      for (const entry of defaultsOf(world, "Policy"))
        within(entry, "spec", "toxicity_check").threshold = 0.3;
    },
  },
  {
    name: "banned-topics",
    make: ({ world }) =>
      addItem(dataAt(world, "policies/customer.yaml", "spec", "banned_topics"), "topics", "horoscopes"),
  },
  {
    name: "keywords",
    make: ({ world }) =>
      addItem(dataAt(world, "policies/partner.yaml", "spec", "keywords"), "keywords", "project delta"),
  },
  {
    name: "temperature",
    make({ world, roster, dice }) {
      dataAt(world, `agents/${some(roster.families, dice)}.yaml`, "spec").temperature = 0.3;
    },
  },
  {
    name: "list-order",
    make({ world }) {
      const check = dataAt(world, "policies/lenient.yaml", "spec", "banned_topics");
      if (Array.isArray(check.topics)) check.topics = check.topics.toReversed();
    },
  },
  {
    name: "comment",
    make: ({ world, roster, dice }) =>
      void world.comments.set(
        `agents/desk-${some(roster.desks, dice)}.yaml`,
        "# The team of this desk is on the third floor.\n",
      ),
  },
  {
    name: "renames",
    make({ world }) {
      for (const name of moving) {
        const file = `agents/desk-${name}.yaml`;
        dataAt(world, file, "metadata").name = `desk-${name}-offers`;
        dataAt(world, file).lifecycle = { moved_from: [`agent:desk-${name}`] };
      }
    },
  },
  {
    name: "new-agent",
    most: 2,
    make({ world, roster, dice }) {
      const name = `new-${dice(1000)}`;
      world.texts.set(`prompts/desk-${name}.md`, deskPrompt(name, dice));
      world.data.set(`agents/desk-${name}.yaml`, deskOf(name, [`\${toolset:${some(roster.apis, dice)}}`]));
    },
  },
];

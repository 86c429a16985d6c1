import { isObject } from "../../../src/json/json.js";
import { within } from "../draft.js";
import { staffSpec, lettingGo, type HiddenDanger, type Site } from "./hidden-danger.js";
import { defaultsOf } from "./honest-edits.js";
import { addItem, dataAt } from "./world.js";

const specOf = ({ world }: Site) => dataAt(world, "agentform.yaml", "spec");
const productionOf = (site: Site) => within(specOf(site), "environments", "production");

/** Dangers in the manifest, in what all documents share, and in the lock. */
export const dangersInWorkspace: readonly HiddenDanger[] = [
  {
    sort: "service-moved",
    isNoted: true,
    plant(site) {
      within(productionOf(site), "service").base_url = "https://agents.collect-seven.example";
      return {
        names: ["agentform.yaml", "service.base_url"],
        shows: ["https://agents.collect-seven.example"],
      };
    },
  },
  {
    sort: "orphan-limit-raised",
    isNoted: true,
    plant(site) {
      within(specOf(site), "limits").orphans = 98_765;
      return { names: ["agentform.yaml", "limits.orphans"], shows: [/98,?765/] };
    },
  },
  {
    sort: "language-gone",
    isNoted: true,
    plant({ world, take }) {
      const language = take("languages");
      delete dataAt(world, "languages.yaml")[language];
      const agents = `agent:[\\w*-]+-${language}`;
      return { names: [new RegExp(agents)], shows: [lettingGo(agents)] };
    },
  },
  {
    sort: "variable-of-environment",
    isNoted: false,
    plant(site) {
      within(productionOf(site), "variables").refund_limit = "9999";
      return {
        names: [/agent:(?:support|billing|feedback|\*)-/],
        shows: ["Refund at most 9999 EUR without asking."],
      };
    },
  },
  {
    sort: "header-variable",
    isNoted: true,
    plant(site) {
      within(productionOf(site), "variables").systems = "everything";
      return { names: [/toolset:helpdesk-/], shows: ["X-Systems", "everything"] };
    },
  },
  {
    sort: "default-for-fewer",
    isNoted: true,
    plant({ world }) {
      const entry = defaultsOf(world, "Agent").find(
        (each) => within(each, "spec").handover === undefined && each.selector !== undefined,
      );
      if (!entry) throw new Error("there is no default for partners");
      entry.selector = { audience: "partner", group: "front-desks" };
      return { names: [/agent:desk-/], shows: ["policy:partner"] };
    },
  },
  {
    sort: "default-policy-swapped",
    isNoted: true,
    plant({ world }) {
      const text = JSON.stringify(dataAt(world, "agentform.yaml")).replace(
        "${policy:partner}",
        "${policy:lenient}",
      );
      const manifest: unknown = JSON.parse(text);
      if (isObject(manifest)) world.data.set("agentform.yaml", manifest);
      return { names: [/agent:desk-/], shows: ["policy:lenient"] };
    },
  },
  {
    sort: "field-allowed-and-set",
    isNoted: false,
    plant(site) {
      const name = site.take("staff");
      addItem(within(specOf(site), "extra_fields"), "agent", "skip_review");
      staffSpec(site, name).skip_review = true;
      return { names: [`agent:staff-${name}`], shows: ["skip_review"] };
    },
  },
  {
    sort: "lock-edited",
    isNoted: true,
    plant({ world, take }) {
      const address = `agent:staff-${take("staff")}`;
      world.lockEdits.push((lock) => {
        const entry = lock.resources[address];
        if (!entry) throw new Error(`the lock has no ${address}`);
        return { ...lock, resources: { ...lock.resources, [address]: { ...entry, id: "someone-else" } } };
      });
      return { names: [address], shows: ["someone-else"] };
    },
  },
  {
    // With its document gone, nothing forgets it.
    sort: "lock-entry-deleted",
    isNoted: true,
    plant({ world, take }) {
      const desk = take("desks");
      const address = `agent:desk-${desk}`;
      world.data.delete(`agents/desk-${desk}.yaml`);
      world.lockEdits.push((lock) => {
        const { [address]: _gone, ...resources } = lock.resources;
        return { ...lock, resources };
      });
      return { names: [address], shows: [lettingGo(address)] };
    },
  },
];

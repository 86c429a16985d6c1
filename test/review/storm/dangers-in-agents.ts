import { isObject, type Json, type JsonObject } from "../../../src/json/json.js";
import { within } from "../draft.js";
import { deskOf } from "./fleet.js";
import { deskPrompt } from "./prompts.js";
import { deskSpec, patch, staffSpec, lettingGo, type HiddenDanger, type Trace } from "./hidden-danger.js";
import { addItem, dataAt } from "./world.js";

/** A danger in the document of one of the staff. */
function inStaff(
  sort: string,
  isNoted: boolean,
  shows: Trace["shows"],
  edit: (spec: JsonObject) => void,
): HiddenDanger {
  return {
    sort,
    isNoted,
    plant(site) {
      const name = site.take("staff");
      edit(staffSpec(site, name));
      return { names: [`agent:staff-${name}`], shows };
    },
  };
}

/** A danger in the lifecycle of one of the staff, which was protected. */
function inLifecycle(sort: string, shows: Trace["shows"], lifecycle: JsonObject): HiddenDanger {
  return {
    sort,
    isNoted: true,
    plant({ world, take }) {
      const name = take("staff");
      dataAt(world, `agents/staff-${name}.yaml`).lifecycle = lifecycle;
      return { names: [`agent:staff-${name}`], shows };
    },
  };
}

const featuresOf = (spec: JsonObject): JsonObject[] => {
  const list: Json[] = Array.isArray(spec.features) ? spec.features : [];
  return list.filter((each) => isObject(each));
};

/** Gives a feature, by its type, which the spec must have. */
function featureOf(spec: JsonObject, type: string): JsonObject {
  const feature = featuresOf(spec).find((each) => each.type === type);
  if (!feature) throw new Error(`there is no feature ${type}`);
  return feature;
}

/** Dangers in how agents are guarded, and in what they run on and may reach. */
export const dangersInAgents: readonly HiddenDanger[] = [
  {
    sort: "policy-detached",
    isNoted: true,
    plant(site) {
      const name = site.take("staff");
      const spec = staffSpec(site, name);
      const { policy_id: held } = within(featureOf(spec, "RAI"), "config");
      spec.features = featuresOf(spec).filter(({ type }) => type !== "RAI");
      return { names: [`agent:staff-${name}`], shows: [String(held).slice("${".length, -"}".length)] };
    },
  },
  inStaff("policy-swapped", true, ["policy:lenient"], (spec) => {
    within(featureOf(spec, "RAI"), "config").policy_id = "${policy:lenient}";
  }),
  inStaff("policy-priority", true, [/\b77\b/], (spec) => {
    featureOf(spec, "RAI").priority = 77;
  }),
  inStaff("feature-removed", true, ["GROUNDEDNESS"], (spec) => {
    spec.features = featuresOf(spec).filter(({ type }) => type !== "GROUNDEDNESS");
  }),
  inStaff("feature-weakened", false, [/\b0\.07\b/], (spec) => {
    within(featureOf(spec, "GROUNDEDNESS"), "config").threshold = 0.07;
  }),
  inStaff("provider-changed", true, ["CheapHost"], (spec) => {
    spec.provider_id = "CheapHost";
  }),
  inStaff("model-of-one", true, ["tiny-0"], (spec) => {
    spec.model = "tiny-0";
  }),
  inStaff("credential-swapped", true, ["credential:trial"], (spec) => {
    spec.llm_credential_id = "${credential:trial}";
  }),
  inStaff("temperature", false, [/\b1\.97\b/], (spec) => {
    spec.temperature = 1.97;
  }),
  inStaff("format-lost", false, ["response_format"], (spec) => {
    delete spec.response_format;
  }),
  inStaff("description-changed", false, ["Approves every refund of its staff at once."], (spec) => {
    spec.description = "Approves every refund of its staff at once.";
  }),
  {
    sort: "tools-gained",
    isNoted: true,
    plant(site) {
      const [desk, language] = [site.take("desks"), site.take("languages")];
      addItem(deskSpec(site, desk), "tools", `\${toolset:helpdesk-${language}}`);
      return { names: [`agent:desk-${desk}`], shows: [`toolset:helpdesk-${language}`] };
    },
  },
  {
    sort: "agent-gained",
    isNoted: true,
    plant(site) {
      const [desk, other] = [site.take("desks"), site.take("staff")];
      deskSpec(site, desk).managed_agents = [`\${agent:staff-${other}}`];
      return { names: [`agent:desk-${desk}`], shows: [`agent:staff-${other}`] };
    },
  },
  inLifecycle("protect-removed", ["protect"], {}),
  inLifecycle("removal-deletes", ["on_removal", "delete"], { protect: true, on_removal: "delete" }),
  {
    sort: "not-in-environment",
    isNoted: true,
    plant({ world, take }) {
      const desk = take("desks");
      dataAt(world, `agents/desk-${desk}.yaml`).lifecycle = { environments: ["staging"] };
      return { names: [`agent:desk-${desk}`], shows: [lettingGo(`agent:desk-${desk}`)] };
    },
  },
  {
    sort: "agent-forgotten",
    isNoted: true,
    plant({ world, take }) {
      const desk = take("desks");
      world.data.delete(`agents/desk-${desk}.yaml`);
      return { names: [`agent:desk-${desk}`], shows: [lettingGo(`agent:desk-${desk}`)] };
    },
  },
  {
    // Of the new name, but a new object, for nothing says what it was called.
    sort: "agent-renamed-unsaid",
    isNoted: true,
    plant({ world, take }) {
      const desk = take("desks");
      dataAt(world, `agents/desk-${desk}.yaml`, "metadata").name = `desk-the-${desk}`;
      return { names: [`agent:desk-${desk}`], shows: [lettingGo(`agent:desk-${desk}`)] };
    },
  },
  {
    // Its labels give it nothing, and it says nothing of a policy itself.
    sort: "agent-without-policy",
    isNoted: true,
    plant({ world, dice }) {
      const document = deskOf("night", []);
      within(document, "metadata").labels = { audience: "nobody" };
      world.data.set("agents/desk-night.yaml", document);
      world.texts.set("prompts/desk-night.md", deskPrompt("night", dice));
      return { names: ["agent:desk-night"], shows: [/polic/] };
    },
  },
  {
    sort: "label-misspelt",
    isNoted: true,
    plant({ world, take }) {
      const desk = take("desks");
      dataAt(world, `agents/desk-${desk}.yaml`, "metadata", "labels").audience = "partnr";
      return { names: [`agent:desk-${desk}`], shows: ["policy:partner"] };
    },
  },
  {
    sort: "object-adopted",
    isNoted: false,
    plant({ world, dice }) {
      const document = deskOf("rescue", []);
      world.data.set("agents/desk-rescue.yaml", { ...document, lifecycle: { adopt: "66f1c0ffee00" } });
      world.texts.set("prompts/desk-rescue.md", deskPrompt("rescue", dice));
      return { names: ["agent:desk-rescue"], shows: ["66f1c0ffee00"] };
    },
  },
  {
    // Everybody else gets the new model.
    sort: "model-pinned",
    isNoted: false,
    plant(site) {
      const desk = site.take("desks");
      dataAt(site.world, "agentform.yaml", "spec", "variables").model = "medium-2";
      patch(site, "Agent", `desk-${desk}`, { model: "medium-1" });
      return { names: [`agent:desk-${desk}`], shows: [`agent:desk-${desk}`, "medium-1"] };
    },
  },
];

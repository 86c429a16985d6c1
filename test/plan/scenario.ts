import { deploymentOf } from "../../src/core/kind/written-operations.js";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderDiagnosticsText } from "../../src/render/diagnostics/diagnostics-text.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { applyPlan } from "../../src/core/apply/apply.js";
import type { Diagnostic } from "../../src/core/finding/diagnostic.js";
import type { Json } from "../../src/json/json.js";
import type { BodyRequest } from "../../src/core/kind/kind.js";
import { emptyLock, parseLock } from "../../src/core/state/lock.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { noOptions, type PlanOptions } from "../../src/core/plan/plan-options.js";
import type { PlanRequest, PlanResult } from "../../src/sync/request.js";
import { plan } from "../../src/sync/plan.js";
import { makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { createFakeService, type Fate } from "./fake-service.js";
import { createMemoryStore } from "./memory-store.js";

const workspaces = join(import.meta.dirname, "../fixtures/workspaces");

/** What `options.json` says of one step of a scenario. */
interface StepOptions {
  /** The folder of `test/fixtures/workspaces` that the first step lays its files over; nothing unless given. */
  readonly base?: string;
  /** The files of the step before that are no longer there. */
  readonly remove?: readonly string[];
  readonly environment?: string;
  readonly variables?: Readonly<Record<string, Json>>;
  readonly replace?: readonly string[];
  readonly resend?: readonly string[];
  readonly target?: readonly string[];
  readonly selector?: readonly string[];
  readonly exclude?: readonly string[];
  /** The files that changed since the commit `main`. */
  readonly changed_since?: readonly string[];
  /** What becomes of a request, by `METHOD /path` or by the name in its body; a success where nothing is said. */
  readonly fates?: Readonly<Record<string, Fate>>;
  /** How many records the journal holds of an apply that died, and so left the lock as it was. */
  readonly died_after_records?: number;
}

type ScenarioOptions = Readonly<Record<string, StepOptions>>;

/** What a scenario comes to. */
export interface Result {
  readonly plan: Plan | undefined;
  readonly planText: string;
  readonly markdown: string;
  readonly diagnosticsText: string;
}

/**
 * Applies the steps `before…` of a scenario one after another, and plans its step `after`; with a cache twice, so
 * that the cache knows all of it. A step has a folder, an entry in `options.json`, or both: its files are laid
 * over those of the step before, so that the folder shows what changes.
 */
export async function playScenario(folder: string, cacheFolder?: string): Promise<Result> {
  const file = join(folder, "options.json");
  const options = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as ScenarioOptions) : {};
  const steps = [...new Set([...readdirSync(folder), ...Object.keys(options)])]
    .filter((name) => /^before(-\d+)?$/.test(name))
    .toSorted();
  const workspace = makeWorkspace({});
  const counts: Record<string, number> = {};
  for (const step of steps) {
    lay(workspace, join(folder, step), options[step]);
    await applyStep(
      requestOf(workspace, options[step] ?? {}, cacheFolder),
      workspace,
      options[step] ?? {},
      counts,
    );
  }
  lay(workspace, join(folder, "after"), options.after);
  const request = requestOf(workspace, options.after ?? {}, cacheFolder);
  if (cacheFolder !== undefined) await plan(request);
  const { plan: planned, diagnostics } = await plan(request);
  return {
    plan: planned,
    planText: planned ? renderPlanText(planned, { color: false }) : "",
    markdown: planned ? renderPlanMarkdown(planned) : "",
    diagnosticsText: renderDiagnosticsText(diagnostics.map(withoutFrame), { color: false }),
  };
}

// How code frames look is tested where they are made.
function withoutFrame({ frame: _frame, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic;
}

function lay(workspace: DiskWorkspace, from: string, { base, remove = [] }: StepOptions = {}): void {
  if (base !== undefined) cpSync(join(workspaces, base), workspace.directory, { recursive: true });
  for (const file of remove) workspace.remove(file);
  if (existsSync(from)) cpSync(from, workspace.directory, { recursive: true });
}

async function applyStep(
  request: PlanRequest,
  workspace: DiskWorkspace,
  step: StepOptions,
  counts: Record<string, number>,
): Promise<void> {
  const result: PlanResult = await plan(request);
  const errors = result.diagnostics.filter(({ severity }) => severity === "error");
  if (!result.plan || errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  const { environment } = result.plan;
  const owner = { workspace: result.plan.workspace, environment };
  const lockFile = environment === null ? "agentform.lock" : `agentform.${environment}.lock`;
  const text = existsSync(join(workspace.directory, lockFile)) ? workspace.read(lockFile) : null;
  const parsed = text === null ? undefined : parseLock(text, lockFile, owner);
  if (parsed?.ok === false) throw new Error(parsed.problems.map(({ message }) => message).join("\n"));
  const lock = parsed?.lock ?? emptyLock(owner, "scenario");
  const store = createMemoryStore(text);
  await applyPlan({
    plan: result.plan,
    lock,
    version: (await store.read()).version,
    write: `write${lock.serial + 1}`,
    store,
    service: createFakeService((sent) => fateOf(sent, step), counts),
    serviceIdentity: { base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1" },
    deployment: deploymentOf(result.plan.settings?.service ?? {}),
    updateChecks: { before: true, overwrite: new Set(), after: false, fieldNames: {} },
    answers: () => ({ documentOrder: workspace.read("agentform.yaml").includes("document_order") }),
    concurrency: 1,
    now: () => "2026-01-05T09:00:00.000Z",
    drain: new AbortController().signal,
    onEvent: () => undefined,
  });
  if (step.died_after_records !== undefined) {
    const lines = store
      .written()
      .split("\n")
      .slice(0, step.died_after_records + 1);
    workspace.write({ [`${lockFile}.journal`]: `${lines.join("\n")}\n` });
    return;
  }
  const after = (await store.read()).lock;
  if (after !== null) workspace.write({ [lockFile]: after.slice(0, after.length) });
}

function fateOf({ method, path, body }: BodyRequest, { fates = {} }: StepOptions): Fate {
  const name = body.name ?? body.tool_set_name;
  return fates[`${method} ${path}`] ?? (typeof name === "string" ? fates[name] : undefined) ?? "success";
}

function requestOf({ directory }: DiskWorkspace, step: StepOptions, cacheFolder?: string): PlanRequest {
  const options: PlanOptions = {
    ...noOptions,
    replace: new Set(step.replace),
    resend: new Set(step.resend),
    target: new Set(step.target),
    selector: new Set(step.selector),
    exclude: new Set(step.exclude),
    changedSince: step.changed_since
      ? {
          ref: "main",
          files: new Set(step.changed_since),
          named: new Set<string>(),
          made: [],
          variables: new Set<string>(),
          uses: new Set<string>(),
        }
      : null,
  };
  return {
    directory,
    options,
    ...(step.environment !== undefined && { environment: step.environment }),
    ...(cacheFolder !== undefined && { cacheFolder }),
    variables: new Map(Object.entries(step.variables ?? {})),
  };
}

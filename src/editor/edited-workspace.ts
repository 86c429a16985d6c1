import { setImmediate } from "node:timers/promises";
import { mergeDiagnostics } from "../core/position/position.js";
import type { Diagnostic } from "../core/finding/diagnostic.js";
import { environmentsOf } from "../core/resources/environment-name.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import {
  buildSettings,
  declaredEnvironments,
  parseManifest,
  type Settings,
} from "../core/resources/manifest.js";
import type { Action } from "../generated/plan.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { Lock } from "../core/state/lock.js";
import { planWith } from "../sync/plan-choice.js";
import { toShow, type PlanResult, type WorkspaceOptions } from "../sync/request.js";
import { readState } from "../sync/read-state.js";
import { validateEach, type ValidatedWorkspace } from "../sync/validate.js";
import { patchFolder } from "../workspace/document-name.js";
import { findPatches } from "../workspace/find-documents.js";
import { isSound, type LoadedWorkspace } from "../workspace/load-workspace.js";
import { OpenWorkspace } from "../workspace/open-workspace.js";

/** What a plan would do in one environment, and the lock behind it; neither where the workspace has errors, or its lock is not in a file. */
export interface EnvironmentPlan extends Pick<PlanResult, "diagnostics"> {
  readonly environment: string | null;
  readonly plan?: { readonly actions: readonly Pick<Action, "address" | "action">[] };
  readonly lock?: Lock;
}

// In milliseconds; an editor asks for the lenses of several files at once.
const plansLast = 2000;

/** A workspace as an editor shows it, with what was last found in each of its environments. */
export class EditedWorkspace {
  readonly #open: OpenWorkspace;
  readonly #options: WorkspaceOptions;
  #found: ReadonlyMap<string | null, ValidatedWorkspace> = new Map();
  /** By environment; a manifest that cannot be used leaves what was there. */
  #fleets = new Map<string | null, Fleet>();
  /** The file that was edited last. */
  #edited = "";
  #plans: { readonly at: number; readonly made: Promise<readonly EnvironmentPlan[]> } | undefined;

  constructor(options: WorkspaceOptions) {
    this.#open = new OpenWorkspace(options.directory);
    this.#options = { ...options, open: this.#open };
  }

  get directory(): string {
    return this.#options.directory;
  }

  /** Takes the text of a file from the editor; or undefined once it is closed. */
  edit(file: string, text: string | undefined): void {
    this.#open.edit(file, text);
    this.#edited = file;
  }

  /** Takes notice that files were written. */
  refresh(): void {
    this.#open.refresh();
    this.#plans = undefined;
  }

  /** Checks one environment after the other; between two of them, what is found so far is there. */
  async *check(): AsyncGenerator<void> {
    this.#plans = undefined;
    const found = new Map<string | null, ValidatedWorkspace>();
    let order: readonly (string | null)[] = [this.#options.environment ?? null];
    const editedFirst = (environments: readonly (string | null)[]) => {
      order = environments;
      return environments.toSorted((a, b) => Number(this.#isEditedIn(b)) - Number(this.#isEditedIn(a)));
    };
    for await (const validated of validateEach({ ...this.#options, open: this.#open.look() }, editedFirst)) {
      const { environment, loaded } = validated;
      found.set(environment, validated);
      if (!this.#found.has(environment)) this.#plans = undefined;
      this.#found = new Map([...this.#found, [environment, validated]]);
      if (loaded.fleet) this.#fleets.set(environment, loaded.fleet);
      yield;
    }
    this.#found = inOrder(found, order);
    if (![...found.values()].some(({ loaded }) => loaded.fleet)) return;
    this.#fleets = inOrder(this.#fleets, order);
  }

  #isEditedIn(environment: string | null): boolean {
    return this.#edited.startsWith(`${patchFolder(environment)}/`);
  }

  /** Gives what the last checks found, as `validate` gives it. */
  diagnostics(): readonly Diagnostic[] {
    return mergeDiagnostics([...this.#found.values()].flatMap(({ diagnostics }) => diagnostics));
  }

  /** Gives the fleets of its environments, as far as they could be loaded, that of the chosen one first. */
  fleets(): readonly Fleet[] {
    return [...this.#fleets.values()];
  }

  /** Gives the files that documents are read from: the manifest, documents and patches. */
  documentFiles(): ReadonlySet<string> {
    const files = [...this.#found.values()].flatMap(({ loaded }) => [...loaded.files()]);
    return new Set([manifestFile, ...files]);
  }

  /** Gives the same files, and the patches of the environments that are not chosen. */
  writtenFiles(): ReadonlySet<string> {
    const opened = this.#open.folder();
    if (!opened.ok) return this.documentFiles();
    const patches = this.#settings().flatMap((each) => (each ? findPatches(opened.folder, each).files : []));
    return new Set([...this.documentFiles(), ...patches]);
  }

  /** Gives the settings of all environments of the manifest; undefined for those that are not known. */
  #settings(): readonly (Settings | undefined)[] {
    const manifest = parseManifest(this.texts().read(manifestFile) ?? "");
    if (!manifest.ok) return [undefined];
    return environmentsOf(declaredEnvironments(manifest.value)).map((environment) => {
      const built = buildSettings(manifest, environment, this.#options.variables ?? new Map());
      return built.ok ? built.settings : undefined;
    });
  }

  /** Opens its folder, to read texts of files in it. */
  texts(): WorkspaceTexts {
    const opened = this.#open.folder();
    if (!opened.ok) return { read: () => undefined, resolve: () => undefined };
    const { folder } = opened;
    return {
      read(file) {
        const target = folder.resolve(manifestFile, file);
        if (!target.ok) return undefined;
        const read = folder.read(target.file);
        return read.ok ? read.text : undefined;
      },
      resolve(from, path) {
        const target = folder.resolve(from, path);
        return target.ok ? target.file : undefined;
      },
    };
  }

  /** Gives the locks of all environments of the manifest, also of those that are not chosen; undefined for one that cannot be read, or not without a network. */
  async locks(): Promise<readonly (Lock | undefined)[]> {
    return await Promise.all(
      this.#settings().map(async (each) => {
        if (each?.lock.store !== "file") return undefined;
        const read = await readState({ settings: each, resources: new Map() }, toShow(this.#options));
        return read.ok ? read.state.lock : undefined;
      }),
    );
  }

  /** Plans its environments with the locks beside the manifest; no other store is asked, for that takes a network. */
  async plans(): Promise<readonly EnvironmentPlan[]> {
    const now = performance.now();
    // An apply in a terminal changes a lock, and not every editor tells.
    if (!this.#plans || now - this.#plans.at > plansLast) this.#plans = { at: now, made: this.#plan() };
    return await this.#plans.made;
  }

  // One after the other, so that between two of them there is time for questions.
  async #plan(): Promise<readonly EnvironmentPlan[]> {
    const plans: EnvironmentPlan[] = [];
    for (const { environment, loaded } of this.#found.values()) {
      plans.push(await this.#planOf(environment, loaded));
      await setImmediate();
    }
    return plans;
  }

  async #planOf(environment: string | null, loaded: LoadedWorkspace): Promise<EnvironmentPlan> {
    const isPlannable = isSound(loaded) && loaded.fleet.settings.lock.store === "file";
    if (!isPlannable) return { environment, diagnostics: [] };
    const { state, plan, diagnostics } = await planWith(loaded, toShow({ ...this.#options, environment }));
    const actions = plan?.actions.map(({ address, action }) => ({ address, action }));
    return {
      environment,
      diagnostics,
      ...(actions && { plan: { actions } }),
      ...(state && { lock: state.lock }),
    };
  }
}

/** The texts of a workspace's files, those that an editor has open among them. */
export interface WorkspaceTexts {
  /** Gives the text of a file; undefined if it cannot be read. */
  read(file: string): string | undefined;
  /** Gives the name of the file that a path in another file leads to. */
  resolve(from: string, path: string): string | undefined;
}

function inOrder<Key, Value>(values: ReadonlyMap<Key, Value>, order: readonly Key[]): Map<Key, Value> {
  return new Map(
    order.flatMap((key) => {
      const value = values.get(key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

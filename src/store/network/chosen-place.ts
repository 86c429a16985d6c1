import { bare, say } from "../../core/finding/said.js";
import { withLock, type Settings } from "../../core/resources/manifest.js";
import { parsePlace, placeJson } from "../../core/resources/store-place.js";
import { storeText } from "../../core/state/lock-move.js";
import { StoreDisagreesError } from "../../core/state/lock-store.js";
import { environmentSecrets, type SecretSource } from "../../service/secret.js";
import { equal, type JsonObject } from "../../json/json.js";

/** Who chose the place of the state: the manifest alone, or this machine as well; or why it must not be used. */
export interface ChosenPlace {
  readonly isChosenHere: boolean;
  readonly refusal?: StoreDisagreesError;
}

const variable = "AGENTFORM_STORE";

/** Compares the place of the state in the manifest with the one, or those of several workspaces, that this machine names. */
export function comparePlace(
  settings: Settings,
  secrets: SecretSource = environmentSecrets(process.env),
): ChosenPlace {
  const text = secrets(variable)?.unwrap();
  if (text === undefined) return { isChosenHere: false };
  const whole = usablePlace(text, settings);
  const all = whole
    ? [whole]
    : text
        .trim()
        .split("\n")
        .map((line) => usablePlace(line, settings));
  const usable = all.filter((each) => each !== undefined);
  // Otherwise two workspaces could exchange their places.
  const isEachTied = usable.length === 1 || usable.every(({ folder }) => folder !== undefined);
  if (usable.length < all.length || !isEachTied) return { isChosenHere: false, refusal: explainUnusable() };
  const theirs = placeIn(settings);
  const own = usable.filter(({ folder = settings.folder }) => folder === settings.folder);
  if (own.some(({ place }) => equal(theirs, place))) return { isChosenHere: true };
  const expected = own.length > 0 ? own.map(({ place }) => place) : usable.map(withFolder);
  const texts = expected.map(storeText).join("` or `");
  return { isChosenHere: false, refusal: explainDifference(storeText(theirs), texts) };
}

/** A place that a machine names, for all workspaces or for the one in a folder. */
interface NamedPlace {
  readonly place: JsonObject;
  readonly folder?: string;
}

function usablePlace(text: string, settings: Settings): NamedPlace | undefined {
  const { folder, ...place } = parsePlace(variable, text) ?? {};
  const here = withLock(settings, place);
  if (!here.ok || !(folder === undefined || typeof folder === "string")) return undefined;
  return { place: placeIn(here.settings), ...(folder !== undefined && { folder }) };
}

function withFolder({ place, folder }: NamedPlace): JsonObject {
  return { ...place, ...(folder !== undefined && { folder }) };
}

// The seal is no part of the place, and has notes of its own.
function placeIn({ lock: { seal: _seal, ...place } }: Settings): JsonObject {
  return placeJson(place);
}

// It is not quoted: a secret may be in it, which a usable place never has.
function explainUnusable(): StoreDisagreesError {
  return new StoreDisagreesError(
    `${variable} is not the place of a state`,
    "set it to what `spec.lock` of agentform.yaml has, such as `git` or `{store: http, address: https://state.example.com/desk}`; where several workspaces have different ones, one a line, each with `folder: FOLDER`",
  );
}

function explainDifference(theirs: string, own: string): StoreDisagreesError {
  return new StoreDisagreesError(
    say`the manifest keeps the state in \`${bare({ found: theirs })}\`, but ${bare({ name: variable })} is \`${bare({ expected: own })}\``,
    `nothing was asked of either; after a move of the state, set ${variable} to \`${theirs}\` (\`agentform init --ci\` again brings the jobs to it)`,
  );
}

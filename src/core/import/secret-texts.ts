import type { Json, JsonObject } from "../../json/json.js";
import { pointerOf } from "../../json/json-pointer.js";
import type { Path } from "../../json/path.js";
import { visitTexts } from "../../json/texts.js";
import type { FoundObject } from "./found-object.js";
import { keyWithin, tellsSecret } from "../schema/secret.js";

/** Gives the JSON pointers of texts that look as if they have a key or a password. */
export function textsLikeKeys(body: JsonObject): string[] {
  return textsIn(body, []).flatMap(([path, text]) =>
    keyWithin(text) === undefined ? [] : [pointerOf(path)],
  );
}

/** Gives the JSON pointer of the first address of a server, in an OpenAPI document, that has a secret. */
export function serverWithSecret({ kind, body }: FoundObject): string | undefined {
  const texts = kind.outlined.flatMap((field) => textsIn(body[field] ?? null, [field]));
  const found = texts.find(([path, text]) => {
    const [list, , name] = path.slice(-3);
    return list === "servers" && name === "url" && hasSecret(text);
  });
  return found && pointerOf(found[0]);
}

function hasSecret(url: string): boolean {
  if (/\/\/[^/?#]*:[^/?#{]+@/.test(url)) return true;
  const parameters = url.matchAll(/[?&;]([^=&;]+)=([^&;#{]+)/g);
  return [...parameters].some(([, name = ""]) => name.toLowerCase() === "key" || tellsSecret(name));
}

function textsIn(value: Json, at: Path): (readonly [Path, string])[] {
  const texts: (readonly [Path, string])[] = [];
  visitTexts(value, at, (text, path) => texts.push([[...path], text]));
  return texts;
}

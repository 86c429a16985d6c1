import { expect, test } from "vitest";
import type { Json } from "../../../src/json/json.js";
import type { Path } from "../../../src/json/path.js";
import { layerAt, outlineLayer, placeIn, type Layer } from "../../../src/core/resources/layer.js";

function layersOf(...values: readonly [Layer["type"], Json][]): Layer[] {
  return values.map(([type, value], index) => ({
    type,
    file: `${type}-${index}.yaml`,
    index: 0,
    value,
    ...(type === "default" && { at: ["spec", "defaults", index] }),
  }));
}

const layers = layersOf(
  ["default", { a: 1, own: { x: 1 }, list: [{ x: 1 }, 2], mixed: { x: 1, deep: { y: 1 } }, gone: 1 }],
  ["default", { a: 2, second: 2, mixed: { z: 2 } }],
  ["document", { a: 3, b: 3, mixed: { x: 3 }, included: "${file:x.yaml}", list: [3], gone: null, cut: [1] }],
  ["patch", { b: 4, included: { y: 4 }, cut: { x: 4 }, patched: { x: 4 } }],
  ["patch", { patched: { y: 5 }, b: null }],
);

test.each<[string, Path, string]>([
  ["a value is of the last layer that sets it", ["a"], "document-2"],
  ["also if that is a later default", ["second"], "default-1"],
  ["or if it takes the value away", ["b"], "patch-4"],
  ["or takes a default away", ["gone"], "document-2"],
  ["a mapping of one layer is of that layer", ["own"], "default-0"],
  ["a mapping of several is of the document", ["mixed"], "document-2"],
  ["or else of the lowest", ["patched"], "patch-3"],
  ["and each member is of its own layer", ["mixed", "x"], "document-2"],
  ["of whichever it is", ["mixed", "z"], "default-1"],
  ["at any depth", ["mixed", "deep", "y"], "default-0"],
  ["a list is of one layer, with all that is in it", ["list", 1, "x"], "document-2"],
  ["what a file gives is of the layer that includes it", ["included", "x", "y"], "document-2"],
  ["except what is laid over it", ["included", "y"], "patch-3"],
  ["the two are a mapping of several", ["included"], "document-2"],
  ["a mapping that replaces a list is of its own layer", ["cut"], "patch-3"],
  ["the whole is the document's", [], "document-2"],
])("%s", (_, path, file) => {
  expect(layerAt(layers, path)?.file).toBe(`${file}.yaml`);
  expect(layerAt(layers.map(outlineLayer), path)?.file).toBe(`${file}.yaml`);
});

test("what no layer has is placed in the document, and a default where it is written", () => {
  expect(layerAt(layers, ["none"])).toBeUndefined();
  expect(placeIn(layers, ["none"])).toEqual({ file: "document-2.yaml", document: 0, path: ["none"] });
  expect(placeIn(layers, ["second"])).toEqual({
    file: "default-1.yaml",
    document: 0,
    path: ["spec", "defaults", 1, "second"],
  });
});

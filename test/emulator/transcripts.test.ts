import { describe, expect, it } from "vitest";
import type { Answers } from "../../src/emulator/world.js";
import { json, sendRaw, toolIds } from "./raw-request.js";
import { running } from "./running.js";
import { readTranscripts, shapeOf, type Transcript } from "./transcript.js";

const MODES: readonly Answers[] = ["opaque", "names", "objects", "shuffled", "minimal"];
const transcripts = readTranscripts();

function named(name: string): Transcript {
  const found = transcripts.find((transcript) => transcript.name === name);
  if (found === undefined) throw new Error(`no transcript ${name}`);
  return found;
}

function modeOf({ mode }: Transcript): Answers {
  const found = MODES.find((known) => known === mode);
  if (found === undefined) throw new Error(`no mode ${mode}`);
  return found;
}

async function createFor(port: number, request: string): Promise<string> {
  if (request.startsWith("PUT /v3/tools/")) {
    return toolIds(await sendRaw(port, named("create-toolset").request))[0] ?? "";
  }
  return String(json(await sendRaw(port, named("create-agent").request))["agent_id"]);
}

async function withLivingId(port: number, request: string): Promise<string> {
  if (!request.startsWith("PUT ")) return request;
  const id = await createFor(port, request);
  return request.replace(/^(PUT \/v3\/[a-z]+\/)\S+/, `$1${id}`);
}

describe("the emulator answers as the transcripts do", () => {
  it("finds an exchange for each of the six operations", () => {
    const starts = transcripts
      .filter(({ status }) => status === 200)
      .map(({ request }) => request.split(" HTTP/")[0]?.replace(/[0-9a-f]{24}$/, "ID"));
    expect([...new Set(starts)].toSorted()).toEqual([
      "POST /v1/rai/policies",
      "POST /v3/agents/",
      "POST /v3/tools/",
      "POST /v3/tools/credentials",
      "PUT /v3/agents/ID",
      "PUT /v3/tools/ID",
    ]);
  });

  it.each(transcripts)("$name", async (transcript) => {
    const { port } = await running({ answers: modeOf(transcript), apiKey: "key-for-examples" });
    const answer = await sendRaw(port, await withLivingId(port, transcript.request));
    expect(answer.status).toBe(transcript.status);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.whole).toBe(true);
    expect(shapeOf(json(answer))).toEqual(shapeOf(transcript.body));
  });
});

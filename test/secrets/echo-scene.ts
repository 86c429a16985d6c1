import { findCanaries } from "./canaries.js";
import * as manners from "./echoing-service.js";
import { echoingService, type EchoingService, type Manner } from "./echoing-service.js";
import { documentsAt, manifestAt, openScene, promptingAgent, type Scene } from "./scene.js";

const { echoes, fails, rejects } = manners;

/** All that a service may do with what it is told. */
export const behaviours: [what: string, manner: Manner][] = [
  ["echoes everything", echoes],
  ["recalls what others sent", manners.recalls()],
  ["makes its IDs of secrets", manners.identifies],
  ["has secrets for names", manners.names],
  ["answers 400", fails(400)],
  ["answers 401", fails(401)],
  ["answers 422 with details", rejects],
  ["answers 500", fails(500)],
  ["redirects", manners.redirects],
  ["answers no JSON", manners.babbles],
  ["breaks off", manners.breaks],
  ["answers no HTTP", manners.garbles],
  ["drops the connection", manners.drops],
];

/** A scene whose service echoes. */
export interface EchoScene extends Scene {
  readonly service: EchoingService;
}

/** Makes a scene of all the documents at revision 1. */
export async function echoScene(manner: Manner, more = ""): Promise<EchoScene> {
  const service = await echoingService(manner);
  const scene = openScene({
    "agentform.yaml": manifestAt(service.url, more),
    ...documentsAt(1),
    ...promptingAgent,
  });
  return { ...scene, service };
}

/** The variables whose values the service was sent. */
export function heardCanaries({ service }: EchoScene): Set<string> {
  const texts = service.heard.flatMap(({ headers, body }) => [String(headers["x-api-key"]), body]);
  return new Set(findCanaries(texts.join("\n")).map((found) => found.split(" ")[0] ?? ""));
}

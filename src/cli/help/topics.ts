import { learnMore } from "./learn-more.js";
import type { Page } from "./page.js";
import type { TopicText } from "./topic.js";

/** A text of the help that is about no single command. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  load(): Promise<TopicText>;
}

/** The topics, in the order of the help. */
export const topics: readonly Topic[] = [
  {
    name: "documents",
    summary: "what the YAML files of a workspace are",
    load: async () => (await import("./topics/documents.js")).documents,
  },
  {
    name: "references",
    summary: "how documents use IDs, variables, files and secrets: ${…}",
    load: async () => (await import("./topics/references.js")).references,
  },
  {
    name: "environments",
    summary: "the same documents for staging, production and others",
    load: async () => (await import("./topics/environments.js")).environments,
  },
  {
    name: "exit-codes",
    summary: "what the exit codes mean",
    load: async () => (await import("./topics/exit-codes.js")).exitCodes,
  },
];

/** Finds a topic by its name. */
export function findTopic(word: string): Topic | undefined {
  return topics.find(({ name }) => name === word);
}

/** Makes the page of a topic. */
export async function topicPage({ name, summary, load }: Topic): Promise<Page> {
  const { about, sections, documents } = await load();
  return { name, summary, about, sections: [...sections, learnMore(documents)] };
}

import type { Danger } from "./danger.js";

/** Dangers in the manifest and in the lock. */
export const workspaceDangers: readonly Danger[] = [
  {
    name: "base-url-changed",
    plant(draft) {
      draft.service.base_url = "https://agents.example.net";
      return {
        addresses: ["agentform.yaml", "service.base_url"],
        shows: ["https://agents.example.com", "https://agents.example.net"],
      };
    },
  },
  {
    name: "api-key-changed",
    plant(draft) {
      draft.service.api_key = "${env:ROOT_API_KEY}";
      return {
        addresses: ["agentform.yaml", "service.api_key"],
        shows: ["AGENT_API_KEY", "ROOT_API_KEY"],
      };
    },
  },
  {
    name: "lock-edited",
    plant(draft, { agent }) {
      draft.editLock = (lock) => {
        const entry = lock.resources[agent];
        if (!entry) throw new Error(`the lock has no ${agent}`);
        return { ...lock, resources: { ...lock.resources, [agent]: { ...entry, id: "someone-else" } } };
      };
      return { addresses: [agent], shows: ["someone-else"] };
    },
  },
];

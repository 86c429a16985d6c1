import type { TopicText } from "../topic.js";

export const environments: TopicText = {
  about: [
    "An environment is the same workspace at a different service, with variables, patches and a state of its own. Choose one with `-e NAME`. Without `-e`, commands work on the default environment, which is the manifest without any environment's settings; `validate` checks all.",
  ],
  sections: [
    {
      title: "In the manifest",
      blocks: [
        {
          file: "agentform.yaml",
          lines: [
            "apiVersion: agentform/v1",
            "kind: Workspace",
            "metadata: {name: support-desk}",
            "spec:",
            "  service:",
            "    api_key: ${env:AGENT_API_KEY}",
            "  variables: {model: small-1}",
            "  environments:",
            "    staging:",
            "      service: {base_url: https://agents.staging.example.com}",
            "    production:",
            "      service: {base_url: https://agents.example.com}",
            "      variables: {model: large-2}",
          ],
        },
        "Here the environments alone name a service, so there is no default environment.",
      ],
    },
    {
      title: "A patch",
      blocks: [
        "A file below environments/NAME/ with the address of a document is laid over it (JSON Merge Patch).",
        {
          file: "environments/production/agents/support.yaml",
          lines: [
            "apiVersion: agentform/v1",
            "kind: Agent",
            "metadata: {name: support}",
            "spec: {temperature: 0}",
          ],
        },
        "`lifecycle.environments: [staging]` in a document keeps it out of all others.",
      ],
    },
    {
      title: "Commands",
      blocks: [
        {
          lines: [
            "agentform plan -e staging",
            "agentform apply -e production",
            "agentform plan -e production --against staging",
          ],
        },
      ],
    },
    {
      title: "State",
      blocks: [
        "The state of an environment is in agentform.NAME.lock, of the default one in agentform.lock. `spec.lock` keeps it on a git ref or a server instead.",
      ],
    },
  ],
  documents: ["documents.md", "state.md"],
};

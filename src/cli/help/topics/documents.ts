import type { TopicText } from "../topic.js";

export const documents: TopicText = {
  about: [
    "A workspace is a folder with the manifest agentform.yaml and documents. Each document is one resource: a Policy, a ToolSet, a Credential or an Agent. Documents are in the folders policies, toolsets, credentials and agents, at any depth, one or many in a file.",
  ],
  sections: [
    {
      title: "The manifest",
      blocks: [
        {
          file: "agentform.yaml",
          lines: [
            "apiVersion: agentform/v1",
            "kind: Workspace",
            "metadata: {name: support-desk}",
            "spec:",
            "  service:",
            "    base_url: https://agents.example.com",
            "    rai_base_url: https://rai.example.com",
            "    api_key: ${env:AGENT_API_KEY}",
          ],
        },
      ],
    },
    {
      title: "A document",
      blocks: [
        "metadata.name is the key; with the kind it makes the address agent:support. spec has the fields of the service, under their own names. lifecycle is for agentform alone.",
        {
          file: "agents/support.yaml",
          lines: [
            "apiVersion: agentform/v1",
            "kind: Agent",
            "metadata:",
            "  name: support",
            "  labels: {team: care}        # for --selector",
            "spec:",
            "  name: Support desk",
            "  system_prompt: You answer questions about orders.",
            "  provider_id: OpenAI",
            "  model: small-1",
            "lifecycle:",
            "  protect: true               # a plan that would remove it is an error",
          ],
        },
      ],
    },
    {
      title: "Rules",
      blocks: [
        {
          rows: [
            [
              "key",
              "small letters, digits, `.`, `_` and `-`; unique for its kind. Files may be moved and renamed.",
            ],
            [
              "unknown field",
              "an error if it is close to a known one; otherwise a warning for an agent or a policy, and an error for a tool set or a credential",
            ],
            ["check", "`agentform validate` finds every problem, with its file and line"],
            ["editor", "`agentform schema agent` prints the JSON Schema of a kind"],
          ],
        },
      ],
    },
  ],
  documents: ["documents.md"],
};

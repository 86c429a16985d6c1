import type { TopicText } from "../topic.js";

export const references: TopicText = {
  about: [
    "A text in a document may have references, `${…}`. Apply puts the IDs and the secrets in their place; everything else is replaced when the workspace is read.",
  ],
  sections: [
    {
      title: "Forms",
      blocks: [
        {
          rows: [
            ["${policy:KEY}", "the ID of a policy; the same with credential and agent"],
            ["${toolset:KEY}", "all tools of a tool set, as items of a list"],
            ["${toolset:KEY/OPERATION}", "one tool, by its operationId or as `METHOD /path`"],
            ["${var:NAME}", "a variable of the manifest"],
            ["${file:PATH}", "a file, relative to the document; JSON and YAML are parsed"],
            ["${template:PATH}", "a file with references inside it"],
            ["${each:NAME}", "a parameter of `for_each`; `${each:key}` is the key"],
            ["${env:NAME}", "an environment variable, always secret, read by apply alone"],
            ["${env:NAME@2}", "the same; count up after the secret has changed, so that it is sent again"],
            ["$${", "a literal ${"],
          ],
        },
      ],
    },
    {
      title: "In an agent",
      blocks: [
        {
          file: "agents/support.yaml",
          lines: [
            "apiVersion: agentform/v1",
            "kind: Agent",
            "metadata: {name: support}",
            "spec:",
            "  name: Support desk",
            "  system_prompt: ${template:../prompts/support.md}",
            "  model: ${var:model}",
            "  llm_credential_id: ${credential:openai}",
            "  tools:",
            '    - "${toolset:helpdesk}"',
            '    - "${toolset:billing/GET /invoices}"',
            "  features:",
            '    - {type: RAI, priority: 0, config: {policy_id: "${policy:strict}"}}',
          ],
        },
        "Inside `[…]` and `{…}`, and where a value begins with another sign, put quotes around a reference.",
      ],
    },
  ],
  documents: ["documents.md", "render.md"],
};

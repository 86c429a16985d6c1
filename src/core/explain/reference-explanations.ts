import { byCommand, inFile, type Explanations } from "./explanation.js";
import { agent, manifest, openapi, policy, toolset } from "./sample-workspace.js";

const other = (name: string, spec: string, more = "") =>
  `apiVersion: agentform/v1\nkind: Agent\nmetadata:\n  name: ${name}\n${more}spec:\n  name: ${name}${spec}`;

/** What is wrong with expressions, variables, references and OpenAPI documents. */
export const referenceExplanations: Explanations = {
  "expression-syntax": {
    about:
      "An expression is `${SCHEME:WHAT}`. Text of a shell, such as `${HOME}` or `${NAME:-x}`, is none and is left as it is.",
    fix: "Close it and name something; for a literal `${`, write `$${`.",
    example: inFile(agent, 'spec:\n  model: "${var:}"', 'spec:\n  model: "small-1"'),
  },
  "expression-scheme": {
    about: "The schemes are policy, toolset, credential, agent, var, file, template, each and env.",
    fix: "Correct the scheme; for a literal `${`, write `$${`.",
    example: inFile(
      agent,
      "spec:\n  llm_credential_id: ${credentials:openai}",
      "spec:\n  llm_credential_id: ${credential:openai}",
    ),
  },
  "expansion-too-large": { fix: "Include less, or split the document." },
  "expression-cycle": {
    fix: "Remove one of the expressions in the circle.",
    example: inFile("prompts/a.md", "Hello. ${template:b.md}", "Hello.", {
      wrong: {
        [agent]: "spec:\n  system_prompt: ${template:../prompts/b.md}",
        "prompts/b.md": "${template:a.md}",
      },
    }),
  },
  "expression-splice": {
    about: "`${toolset:KEY}` stands for a list of IDs, one for each tool.",
    fix: "Make it an item of a list, or name one tool: `${toolset:KEY/OPERATION}`.",
    example: inFile(agent, 'spec:\n  tool: "${toolset:helpdesk}"', 'spec:\n  tool: ["${toolset:helpdesk}"]'),
  },
  "expression-type": {
    about: "A list or a mapping can be the whole value, but not a part of a text.",
    fix: "Use the expression alone, without text around it, or make the value a text.",
    example: inFile(
      "agents/translator.yaml",
      other(
        "translator-${each:key}",
        "\n  description: Is ${each:words}",
        "for_each:\n  de: {words: [kind, brief]}\n",
      ),
      other(
        "translator-${each:key}",
        "\n  description: Is ${each:words}",
        "for_each:\n  de: {words: kind and brief}\n",
      ),
    ),
  },
  "variable-unknown": {
    fix: "Declare it under `spec.variables` of the manifest, or correct the name.",
    example: inFile(manifest, "spec:\n  variables: {}", "spec:\n  variables: {model: small-1}", {
      wrong: { [agent]: "spec:\n  model: ${var:model}" },
    }),
  },
  "variable-missing": {
    about:
      "A variable that is declared without a default needs a value from the environment, `--var` or `--var-file`.",
    fix: "Pass a value, or give the variable a default.",
    example: byCommand("validate", "validate --var model=small-1", {
      [manifest]: "spec:\n  variables: {model: {description: The model of all agents}}",
      [agent]: "spec:\n  model: ${var:model}",
    }),
  },
  "variable-unused": {
    fix: "Remove it, or use it as `${var:NAME}`.",
    example: {
      wrong: { [manifest]: "spec:\n  variables: {model: small-1}" },
      right: { [manifest]: "spec:\n  variables: {model: small-1}", [agent]: "spec:\n  model: ${var:model}" },
    },
  },
  "parameter-unknown": {
    about: "`${each:NAME}` is a parameter of the key of `for_each` for which the resource is made.",
    fix: "Give every key the parameter, or correct the name.",
    example: inFile(
      "agents/translator.yaml",
      other("translator-${each:key}", "\n  description: ${each:language}", "for_each:\n  de: {}\n"),
      other(
        "translator-${each:key}",
        "\n  description: ${each:language}",
        "for_each:\n  de: {language: German}\n",
      ),
    ),
  },
  "reference-unknown": {
    fix: "Correct the name, or add the document.",
    example: inFile(
      agent,
      "spec:\n  llm_credential_id: ${credential:azure}",
      "spec:\n  llm_credential_id: ${credential:openai}",
    ),
  },
  "reference-absent": {
    about: "`lifecycle.environments` of the document that is referred to leaves this environment out.",
    fix: "Add the environment there, or patch the reference away in this environment.",
    example: {
      wrong: {
        [manifest]: "spec:\n  environments:\n    staging: {variables: {}}",
        [policy]: "lifecycle:\n  environments: [staging]",
      },
      right: {
        [manifest]: "spec:\n  environments:\n    staging: {variables: {}}",
        [policy]: "lifecycle:\n  environments: [staging]",
        [agent]: "lifecycle:\n  environments: [staging]",
      },
    },
  },
  "reference-literal": {
    about: "The text would be sent as it is, and the service knows no such ID.",
    fix: "Write the reference that the hint shows.",
    example: inFile(
      agent,
      "spec:\n  llm_credential_id: credential:openai",
      "spec:\n  llm_credential_id: ${credential:openai}",
    ),
  },
  "reference-operation": {
    about: "An operation is named by its `operationId`, or as `METHOD /path`.",
    fix: "Correct the name, or add the operation to the OpenAPI document or to `operations` of the tool set.",
    example: inFile(
      agent,
      'spec:\n  tools: ["${toolset:helpdesk/closeTicket}"]',
      'spec:\n  tools: ["${toolset:helpdesk/createTicket}"]',
    ),
  },
  "operation-unknown": {
    fix: "Correct the item: an `operationId`, `METHOD /path` where `*` stands for anything, or `{tag: NAME}`.",
    example: inFile(toolset, "operations: [closeTicket]", "operations: [createTicket]"),
  },
  "reference-tool-unmapped": {
    about:
      "The service answered the IDs of a tool set, but not which ID is which operation, and a guess could give an agent the wrong tool.",
    fix: "Name them with `agentform lock map toolset:KEY OPERATION=ID …`, or refer to the whole set.",
  },
  "reference-cycle": {
    about:
      "An object gets its ID when it is created, so of two that need each other neither can be the first.",
    fix: "Remove one of the references in the circle.",
    example: {
      wrong: {
        "agents/a.yaml": other("a", '\n  examples: ["${agent:b}"]'),
        "agents/b.yaml": other("b", '\n  examples: ["${agent:a}"]'),
      },
      right: {
        "agents/a.yaml": other("a", '\n  examples: ["${agent:b}"]'),
        "agents/b.yaml": other("b", ""),
      },
    },
  },
  "openapi-external-ref": {
    about: "The service may not reach what the `$ref` names, and what it finds there is in no plan.",
    fix: "Bundle the document into one file.",
    example: inFile(
      openapi,
      "paths:\n  /tickets:\n    get: {operationId: listTickets, responses: {$ref: other.yaml}}",
      "paths:\n  /tickets:\n    get: {operationId: listTickets, responses: {}}",
    ),
  },
  "openapi-version-missing": {
    about:
      "Without a version it would be read as a document without operations, and the tool set would have no tools.",
    fix: "Include the file that begins with `openapi:` or `swagger:`.",
    example: inFile(
      openapi,
      "tickets: [list, create]",
      "openapi: 3.1.0\ninfo: {title: Desk, version: '1'}\npaths: {}",
    ),
  },
  "openapi-too-large": { fix: "Split the document, or use fewer `$ref`s." },
};

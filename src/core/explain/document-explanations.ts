import { inFile, type Explanations } from "./explanation.js";
import { agent, credential, manifest } from "./sample-workspace.js";

const head = (kind: string, name: string) =>
  `apiVersion: agentform/v1\nkind: ${kind}\nmetadata:\n  name: ${name}`;

const environments = "spec:\n  environments:\n    production: {variables: {}}";

const languages = (name: string, each: string) =>
  `apiVersion: agentform/v1\nkind: Agent\nmetadata:\n  name: ${name}\nfor_each:${each}\nspec:\n  name: Translator`;

/** What is wrong with files and documents, before references are looked at. */
export const documentExplanations: Explanations = {
  "workspace-missing": {
    about:
      "A workspace is the folder with `agentform.yaml`, and commands look only in the folder they are run in.",
    fix: "Run the command in the folder of the workspace, name it with `-C DIR`, or make a new one with `agentform init`.",
    example: {
      run: "validate",
      rightRun: "validate -C desk",
      wrong: { [manifest]: "", "desk/agentform.yaml": `${head("Workspace", "desk")}\nspec: {}` },
      right: { [manifest]: "", "desk/agentform.yaml": `${head("Workspace", "desk")}\nspec: {}` },
    },
  },
  "git-failed": {
    about:
      "Files that git ignores may hold secrets, so agentform does not read them, and has to ask git which these are.",
    fix: "Run `git status` in the workspace: it shows the same error with its cause.",
  },
  "file-unreadable": {
    about: "The permissions forbid it, the disk has an error, or links form a circle.",
    fix: "Correct the permissions or the link.",
  },
  "file-missing": {
    about: "Paths start from the folder of the file that contains them, not from the workspace.",
    fix: "Correct the path, or add the file.",
    example: {
      wrong: {
        [agent]: "spec:\n  system_prompt: ${file:prompts/support.md}",
        "prompts/support.md": "Be kind.",
      },
      right: {
        [agent]: "spec:\n  system_prompt: ${file:../prompts/support.md}",
        "prompts/support.md": "Be kind.",
      },
    },
  },
  "file-outside-workspace": {
    about:
      "Whoever edits a document could otherwise send any file of the machine that applies. Links count as what they lead to.",
    fix: "Move the file into the workspace.",
    example: {
      wrong: { [agent]: "spec:\n  system_prompt: ${file:../../support.md}" },
      right: {
        [agent]: "spec:\n  system_prompt: ${file:../prompts/support.md}",
        "prompts/support.md": "Be kind.",
      },
    },
  },
  "file-withheld": {
    about: "Such files may hold secrets, or differ from one machine to the next.",
    fix: "Include a file that is committed. A secret is passed as `${env:NAME}`.",
    example: {
      wrong: { [agent]: "spec:\n  system_prompt: ${file:../agentform.lock}" },
      right: {
        [agent]: "spec:\n  system_prompt: ${file:../prompts/support.md}",
        "prompts/support.md": "Be kind.",
      },
    },
  },
  "file-not-regular": {
    about: "The path leads to a folder, a device, a pipe or a socket.",
    fix: "Name a regular file.",
    example: {
      wrong: { [agent]: "spec:\n  system_prompt: ${file:../prompts}", "prompts/support.md": "Be kind." },
      right: {
        [agent]: "spec:\n  system_prompt: ${file:../prompts/support.md}",
        "prompts/support.md": "Be kind.",
      },
    },
  },
  "file-too-large": { fix: "Split the file." },
  "file-encoding": { fix: "Save the file as UTF-8. If it is meant to be binary, it cannot be included." },
  "file-syntax": {
    about:
      "A file that is included as a whole value, and whose name ends in `.json`, `.yaml` or `.yml`, is parsed.",
    fix: "Correct the file at the place that is shown; its content is never quoted.",
    example: inFile("format.json", '{"type": "json_object",}', '{"type": "json_object"}', {
      wrong: { [agent]: "spec:\n  response_format: ${file:../format.json}" },
    }),
  },
  "yaml-syntax": {
    about:
      "Often a quote or a bracket that is not closed, a tab in the indentation, or a `: ` inside a text.",
    fix: "Correct the place that is shown, or the line before it. Put a text with `: ` or ` #` in quotes.",
    example: inFile(
      agent,
      "spec:\n  description: Note: it is new",
      'spec:\n  description: "Note: it is new"',
    ),
  },
  "yaml-duplicate-key": {
    about: "YAML does not allow it, and parsers that do take one of the two silently.",
    fix: "Remove one of the two.",
    example: inFile(agent, "spec:\n  model: small-1\n  model: large-2", "spec:\n  model: large-2"),
  },
  "yaml-alias-limit": { fix: "Write the values out, or include them with `${file:…}`." },
  "yaml-too-large": { fix: "Split the file, or include large data as JSON." },
  "yaml-tag": {
    about: "Documents are YAML 1.2: `!tags` and the merge key `<<` are not part of its core schema.",
    fix: "Write plain values. `spec.defaults` of the manifest gives several documents the same fields.",
    example: inFile(agent, "spec:\n  model: !latest small-1", "spec:\n  model: small-1"),
  },
  "merge-conflict": {
    fix: "Resolve the merge: keep the lines that should stay, and remove the markers.",
    example: inFile(
      agent,
      "spec:\n<<<<<<< HEAD\n  model: small-1\n=======\n  model: large-2\n>>>>>>> other",
      "spec:\n  model: large-2",
    ),
  },
  "too-deep": { fix: "Use fewer levels of nesting." },
  "too-many-documents": { fix: "Split the file." },
  "integer-too-large": {
    about: "JSON numbers are exact to 15 digits, so a different number would be sent.",
    fix: "Put it in quotes if it is an identifier; else use a smaller number.",
    example: inFile(
      credential,
      "spec:\n  meta_data: {account: 12345678901234567890}",
      'spec:\n  meta_data: {account: "12345678901234567890"}',
    ),
  },
  "number-not-finite": {
    fix: "Write a number.",
    example: inFile(agent, "spec:\n  temperature: .inf", "spec:\n  temperature: 1.0"),
  },
  "forbidden-key": {
    about: "These are `__proto__` anywhere, and `constructor` and `prototype` in documents.",
    fix: "Rename or remove the key.",
    example: inFile(
      credential,
      "spec:\n  meta_data: {__proto__: admin}",
      "spec:\n  meta_data: {role: admin}",
    ),
  },
  "document-shape": {
    about: "A document has the keys `apiVersion`, `kind`, `metadata` and `spec`.",
    fix: "Write a mapping, or move a file that is no document out of the folders in `spec.include`.",
    example: inFile("agents/sales.yaml", "- name: Sales", `${head("Agent", "sales")}\nspec:\n  name: Sales`),
  },
  "document-too-large": { fix: "Split the document, or include large data with `${file:…}`." },
  "document-kind": {
    fix: "Write one of the kinds: Policy, ToolSet, Credential or Agent. `agentform explain agent` has the fields of an agent.",
    example: inFile(
      "agents/sales.yaml",
      `${head("Robot", "sales")}\nspec:\n  name: Sales`,
      `${head("Agent", "sales")}\nspec:\n  name: Sales`,
    ),
  },
  "document-version": {
    fix: "Write `apiVersion: agentform/v1`.",
    example: inFile(
      "agents/sales.yaml",
      `${head("Agent", "sales").replace("/v1", "/v2")}\nspec:\n  name: Sales`,
      `${head("Agent", "sales")}\nspec:\n  name: Sales`,
    ),
  },
  "document-missing-field": {
    fix: "Add the field. `agentform explain KIND.FIELD` says what it means.",
    example: inFile(
      "agents/sales.yaml",
      `${head("Agent", "sales")}\nspec:\n  model: small-1`,
      `${head("Agent", "sales")}\nspec:\n  name: Sales\n  model: small-1`,
    ),
  },
  "document-invalid": {
    about: 'YAML reads `yes`-like words, dates and numbers by their form: `42` is a number, `"42"` a text.',
    fix: "Write a value of the type that the message names; a text that looks like a number goes in quotes.",
    example: inFile(agent, "spec:\n  version: 2", 'spec:\n  version: "2"'),
  },
  "document-unknown-field": {
    about:
      "Of an agent or a policy it is a warning, and the field is sent as it is. Of a tool set, a credential or the manifest it is an error.",
    fix: "Remove the field, or list it in `spec.extra_fields` of the manifest if your deployment has it.",
    example: {
      wrong: { [agent]: "spec:\n  mood: cheerful" },
      right: { [agent]: "spec:\n  mood: cheerful", [manifest]: "spec:\n  extra_fields: {agent: [mood]}" },
    },
  },
  "document-misspelt-field": {
    about: "A field that is lost to a typo may be the one that guards, so it is an error.",
    fix: "Correct the name, or list it in `spec.extra_fields` of the manifest if your deployment has a field of this name.",
    example: inFile(agent, "spec:\n  temperatur: 0.2", "spec:\n  temperature: 0.2"),
  },
  "document-read-only-field": {
    about: "`_id`, `created_at` and `updated_at` are in the service's answers.",
    fix: "Remove the field. To take over an object that exists, write its ID as `lifecycle.adopt`.",
    example: inFile(agent, "spec:\n  _id: 66f1c0", "lifecycle:\n  adopt: 66f1c0"),
  },
  "document-duplicate": {
    about: "The address is made of the kind and `metadata.name`; the file's name does not matter.",
    fix: "Rename or remove one of the two.",
    example: inFile(
      "agents/support-2.yaml",
      `${head("Agent", "support")}\nspec:\n  name: Second support`,
      `${head("Agent", "support-2")}\nspec:\n  name: Second support`,
    ),
  },
  "for-each-invalid": {
    fix: "Write a mapping of keys, each with a mapping of its parameters.",
    example: inFile(
      "agents/translator.yaml",
      languages("translator-${each:key}", " [de, fr]"),
      languages("translator-${each:key}", "\n  de: {}\n  fr: {}"),
    ),
  },
  "for-each-name": {
    about: "Each key makes one resource, so each needs a name of its own.",
    fix: "Use `${each:key}` in `metadata.name`.",
    example: inFile(
      "agents/translator.yaml",
      languages("translator", "\n  de: {}\n  fr: {}"),
      languages("translator-${each:key}", "\n  de: {}\n  fr: {}"),
    ),
  },
  "for-each-too-large": { fix: "Split it into several documents." },
  "default-unused": {
    about:
      "An entry of `spec.defaults` gives its fields to the documents of a kind, or to those with certain labels.",
    fix: "Correct the kind or the selector, or remove the entry.",
    example: inFile(
      manifest,
      "spec:\n  defaults:\n    - {kind: Agent, selector: {team: care}, spec: {temperature: 0.2}}",
      "spec:\n  defaults:\n    - {kind: Agent, spec: {temperature: 0.2}}",
    ),
  },
  "patch-misplaced": {
    about: "A patch for an environment is in the folder `environments/NAME/`.",
    fix: "Move the file into the folder of an environment.",
    example: {
      wrong: {
        [manifest]: environments,
        "environments/support.yaml": `${head("Agent", "support")}\nspec: {model: large-2}`,
      },
      right: {
        [manifest]: environments,
        "environments/production/support.yaml": `${head("Agent", "support")}\nspec: {model: large-2}`,
      },
    },
  },
  "patch-without-target": {
    fix: "Correct the name. A document that exists in one environment alone is no patch: it has `lifecycle.environments`.",
    example: inFile(
      "environments/production/support.yaml",
      `${head("Agent", "suport")}\nspec: {model: large-2}`,
      `${head("Agent", "support")}\nspec: {model: large-2}`,
      { wrong: { [manifest]: environments } },
    ),
  },
  "secret-literal": {
    about:
      "What is in git is read by many, and stays in its history. agentform keeps no secret in the lock or in a plan either.",
    fix: "Write `${env:NAME}`, and set the variable where apply runs. If the secret was committed, replace it at its provider.",
    example: inFile(
      credential,
      "spec:\n  credentials:\n    api_key: sk-123",
      "spec:\n  credentials:\n    api_key: ${env:OPENAI_API_KEY}",
    ),
  },
  "too-many-findings": { fix: "Correct the problems that are listed, then run the command again." },
  "environment-unknown": {
    fix: "Correct the name after `-e` or in `lifecycle.environments`, or declare the environment under `spec.environments`.",
    example: {
      run: "validate -e prod",
      rightRun: "validate -e production",
      wrong: { [manifest]: environments },
      right: { [manifest]: environments },
    },
  },
  "environment-required": {
    about:
      "Only the environments name a service, so there is nothing that plan and apply could use without one.",
    fix: "Choose one with `-e`.",
    example: {
      run: "plan",
      rightRun: "plan -e production",
      wrong: {
        [manifest]: `${head("Workspace", "desk")}\nspec:\n  environments:\n    production:\n      service: {base_url: "https://agents.example.com", rai_base_url: "https://rai.example.com"}`,
      },
      right: {
        [manifest]: `${head("Workspace", "desk")}\nspec:\n  environments:\n    production:\n      service: {base_url: "https://agents.example.com", rai_base_url: "https://rai.example.com"}`,
      },
    },
  },
};

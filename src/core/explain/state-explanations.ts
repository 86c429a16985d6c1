import { byCommand, inFile, type Example, type Explanations } from "./explanation.js";
import { agent, credential, manifest } from "./sample-workspace.js";

const lockFile = "agentform.lock";

/** A lock with the members in which it differs from one in which nothing was applied. */
function lock(differences: object = {}): string {
  return JSON.stringify({
    format: "agentform/lock/v1",
    workspace: "desk",
    environment: null,
    lineage: "a1",
    serial: 3,
    resources: {},
    retired: {},
    unknown: {},
    ...differences,
  });
}

const inLock = (wrong: string, right = lock()): Example => inFile(lockFile, wrong, right, { run: "plan" });

const service = (inside: string) => `spec:\n  service:\n    ${inside}`;

/** What is wrong with the service's settings, the lock, the journal and what was observed. */
export const stateExplanations: Explanations = {
  "secret-missing": {
    about:
      "Secrets are in no file of the workspace: apply reads them from its environment, and sends nothing until all of them are set.",
    fix: "Set the variable where apply runs, such as in the secrets of the CI, or name a file of variables with `--env-file`.",
  },
  "secret-reserved": {
    about: "A job of the CI would get the CI's own value in the place of yours.",
    fix: "Rename the variable in the document and in the secrets of the CI.",
    example: inFile(
      credential,
      "spec:\n  credentials:\n    api_key: ${env:CI_JOB_TOKEN}",
      "spec:\n  credentials:\n    api_key: ${env:OPENAI_API_KEY}",
      { run: "init --ci gitlab" },
    ),
  },
  "api-key-missing": {
    about: "Every request to the service carries an API key.",
    fix: "Set `spec.service.api_key: ${env:AGENT_API_KEY}` in the manifest, and the variable where apply runs.",
  },
  "api-key-invalid": {
    about:
      "A header has no line ends and no characters beyond Latin ones; often a line end was copied with the key.",
    fix: "Set the variable to the key alone.",
  },
  "certificate-invalid": { fix: "Name a PEM file with `--ca-file`, or set NODE_EXTRA_CA_CERTS to one." },
  "proxy-invalid": {
    fix: "Set HTTPS_PROXY to an address such as `http://proxy.example.com:3128`, or unset it.",
  },
  "service-url": {
    about: "It must be https, or http on loopback, without user, query and fragment.",
    fix: "Correct the address in the manifest.",
    example: inFile(
      manifest,
      service("base_url: agents.example.com"),
      service("base_url: https://agents.example.com"),
    ),
  },
  "observation-invalid": {
    fix: "Make it again with `agentform drift --out FILE`.",
    example: byCommand("plan --observed found.json", "plan", { "found.json": "{}" }),
  },
  "object-unreadable": {
    about:
      "The service refused the request or did not answer, so the object was compared with what was last sent alone.",
    fix: "Check that the API key may read the object, and run the command again.",
  },
  "object-not-compared": {
    about:
      "The service has no operation to read it, or does not show the field, or the ID of the object is not known.",
    fix: "Nothing, if the field is a secret. How objects are read is set under `spec.service.operations` of the manifest.",
  },
  "drift-kept": {
    fix: "Write the change into the document, or create the object again with `agentform plan --replace ADDRESS`.",
  },
  "operation-invalid": {
    about:
      "The manifest names what the deployment can do beyond creating and updating, such as `GET /v3/agents/{id}`.",
    fix: "Write a method and a path; the path of a read, an update or a delete contains `{id}` once.",
    example: inFile(
      manifest,
      service("operations:\n      agent: {read: GET /v3/agents}"),
      service('operations:\n      agent: {read: "GET /v3/agents/{id}"}'),
    ),
  },
  "status-of-proxies": {
    about:
      "A proxy may answer 502 or 504 after the service has done the request. A create that is sent again would make a second object.",
    fix: "Remove the status, unless nothing is between agentform and the service.",
    example: inFile(manifest, service("rejected_statuses: [502, 503]"), service("rejected_statuses: [503]")),
  },
  "service-rejected": {
    about:
      "The service answered 422 with the field and what is wrong with it; the place is where the document has the field.",
    fix: "Correct the field as the service says, and apply again. What was applied before it is in the lock.",
  },
  "service-moved": {
    about: "The IDs in the lock belong to one service, and a different one does not know them.",
    fix: "Correct the address. If the same service has a new address, say so with `--service-moved`; a new service is a new environment.",
    example: inLock(
      lock({ service: { base_url: "https://old.example.com", rai_base_url: "https://rai.example.com" } }),
      lock({ service: { base_url: "https://agents.example.com", rai_base_url: "https://rai.example.com" } }),
    ),
  },
  "tool-ids-unsettled": {
    about:
      "Each tool was answered as an object with several members that may be its ID. All are kept, and what refers to the tools waits.",
    fix: "Set `spec.service.id_pointers.tool` of the manifest, such as to `/id`.",
  },
  "lock-location": {
    fix: "Add what the message names under `spec.lock` of the manifest. `agentform explain manifest.lock` lists the keys.",
    example: inFile(
      manifest,
      "spec:\n  lock: {store: s3, bucket: state}",
      "spec:\n  lock: {store: s3, bucket: state, key: desk, region: eu-central-1}",
    ),
  },
  "lock-damaged": {
    about: "It is not valid JSON, has a duplicate key, or lacks something. Nothing was written.",
    fix: "Restore the file from git. Do not delete it: it has the IDs of everything that was created.",
    example: inLock(lock().slice(0, -40)),
  },
  "lock-history-cut": {
    about: "CI often fetches one commit alone.",
    fix: "Fetch the history: `git fetch --unshallow`, or `fetch-depth: 0` in the job.",
  },
  "lock-behind": {
    about: "Objects that were created since would be created a second time.",
    fix: "Run `agentform lock restore`, which brings back what was applied, and commit the result.",
  },
  "lock-conflict": {
    fix: "Run `agentform lock merge` during the merge. `agentform init` sets it up as git's merge driver, so that git does it by itself.",
    example: inLock(`<<<<<<< HEAD\n${lock()}\n=======\n${lock({ serial: 4 })}\n>>>>>>> other`),
  },
  "lock-format": {
    fix: "Use the version of agentform that wrote it, or a newer one.",
    example: inLock(lock({ format: "agentform/lock/v9" })),
  },
  "lock-too-large": {
    about:
      "A lock, a journal and a saved plan are each one text in memory. The message has the size, which is estimated from the bodies. Nothing was sent.",
    fix: "Make several workspaces of this one. Resources that many files share can be in each of them.",
  },
  "lock-foreign": {
    about: "The lock was copied from a different workspace or environment, or the workspace was renamed.",
    fix: "Use the lock of this workspace and environment. If you renamed the workspace, take the old `metadata.name` back.",
    example: inLock(lock({ workspace: "shop" })),
  },
  "lock-absent": {
    about:
      "The store that the manifest names has no lock for this environment, or a copy of it was not fetched, so everything looks new.",
    fix: "If something was applied before, check `spec.lock`, `metadata.name` and the environment, or fetch the lock as the hint says.",
  },
  "lock-held": {
    about: "Two applies at once would write over each other's state.",
    fix: "Wait for it. `agentform lock status` says who holds it and since when. If that apply is certainly dead, run `agentform lock unlock NONCE`.",
  },
  "lock-moved": {
    fix: "Pull the commit that changes `spec.lock` of the manifest, or set it to the store that the message names.",
    example: inLock(
      '{"format": "agentform/move/v1", "workspace": "desk", "environment": null, "lineage": "a1", "serial": 3, "writes": "", "to": {"store": "git"}}',
    ),
  },
  "lock-moving": {
    fix: "Set `spec.lock` of the manifest back to the store that the message names first, and run the same `agentform lock move` again: it finishes what is left.",
  },
  "lock-occupied": {
    about: "Two states for one environment would lose the IDs of one of them.",
    fix: "Choose a different place. If what is there is not needed any more, remove it there first.",
  },
  "lock-left-behind": {
    about:
      "The manifest was changed to a different store without moving the state, so everything would be created again.",
    fix: "Take the change of `spec.lock` back, and run `agentform lock move --to STORE`, which moves the state first.",
  },
  "lock-history-none": {
    about: "A lock in files has the versions that were committed to git.",
    fix: "Commit the lock after each apply. `agentform lock history` lists the versions that there are.",
  },
  "lock-changed": {
    about: "Another apply has written it meanwhile, so nothing was changed.",
    fix: "Run the command again.",
  },
  "lock-medium": {
    about:
      "What was applied up to then is in the journal; or in the lock, if the journal failed or was taken away and the lock could still be written.",
    fix: "Correct what the message names, and run the command again.",
  },
  "state-tracked": {
    about: "What is under `.agentform/` is of this machine, and would be wrong on any other.",
    fix: "Run `git rm -r --cached .agentform`, delete the folder, and commit that.",
  },
  "journal-damaged": {
    about:
      "The last line may be cut, when a machine died; any other damage is none that agentform can have caused.",
    fix: "Restore the file from a backup. Do not delete it: it may have IDs that are nowhere else.",
  },
  "journal-foreign": {
    about: "The lock was replaced while an apply was under way or dead, such as by git.",
    fix: "Run `agentform lock restore`, which merges both if git has the other lock. Do not remove the journal: that would lose the IDs in it.",
  },
  "operation-missing": {
    fix: "Set it under `spec.service.operations` of the manifest, if the deployment can do it.",
    example: inFile(
      manifest,
      "spec: {}",
      service('operations:\n      agent: {read: "GET /v3/agents/{id}"}'),
      {
        run: "drift --emulator",
      },
    ),
  },
  "service-unread": { fix: "Check the address, the API key and what it may do, and run the command again." },
  "import-left-out": {
    fix: "Read the reason. An object that is managed already, or that cannot be a document, is left out.",
  },
  "import-incomplete": {
    about: "The service does not show secrets, and an object may name others that no document describes.",
    fix: "Complete the document, and set the variables that it names.",
  },
  "import-unwritten": {
    fix: "Choose a folder with `--into` that the manifest includes and that can be written.",
  },
  "output-incomplete": {
    fix: "Apply it, or settle what is unknown with `agentform lock resolve`, and run the command again.",
    example: inFile(
      lockFile,
      lock({ resources: { "agent:support": { body: { name: "Support" }, digest: "sha256:0" } } }),
      lock({ resources: { "agent:support": { id: "66f1", body: { name: "Support" }, digest: "sha256:0" } } }),
      { run: "output --selector team=care", wrong: { [agent]: "metadata:\n  labels: {team: care}" } },
    ),
  },
  "output-name-taken": {
    about: "Variables and members of modules have fewer characters than names of documents.",
    fix: "Rename one of the two, or use `--format json`.",
    example: byCommand("output --format dotenv", "output --format json", {
      [lockFile]: lock({
        resources: {
          "agent:a-b": { id: "1", body: { name: "A" }, digest: "sha256:0" },
          "agent:a.b": { id: "2", body: { name: "B" }, digest: "sha256:0" },
        },
      }),
    }),
  },
  "output-unfit": { fix: "Use a different `--format`." },
  "output-unwritten": {
    fix: "Name a file that can be written.",
    example: byCommand("output --format json --out agents", "output --format json --out ids.json"),
  },
  "output-stale": {
    about: "Applications would use IDs that are replaced.",
    fix: "Run the same command without `--check`, and commit the file.",
    example: byCommand("output --format json --out ids.json --check", "output --format json --out ids.json"),
  },
};

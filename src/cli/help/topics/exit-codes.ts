import { exitCode } from "../../exit-code.js";
import type { TopicText } from "../topic.js";

const meanings: Readonly<Record<keyof typeof exitCode, string>> = {
  fine: "success; for `plan --detailed-exitcode`: no changes",
  invalid:
    "the workspace or its state is invalid, a variable is missing, an action failed or is blocked, or the plan has notes that `--fail-on` names",
  pending:
    "changes are pending (`plan --detailed-exitcode`), or something has drifted (`drift --detailed-exitcode`)",
  unknown: "an outcome is unknown (`apply` and `plan --detailed-exitcode`); takes precedence over 1 and 2",
  moved:
    "the plan is not the expected one, or the lock is held, has changed or has moved to a different store",
  usage: "the command line is not valid",
  bug: "a bug in agentform",
  interrupted: "interrupted",
};

const rows = Object.entries(exitCode).map(
  ([name, code]) => [String(code), meanings[name as keyof typeof exitCode]] as const,
);

export const exitCodes: TopicText = {
  about: ["What a command ends with, for scripts and CI."],
  sections: [
    { title: "Codes", blocks: [{ rows }] },
    {
      title: "In a script",
      blocks: [
        "Act on what a plan has found:",
        {
          lines: [
            "agentform plan --detailed-exitcode",
            "case $? in",
            "  0) echo no changes ;;",
            "  2) echo changes are pending ;;",
            "  3) echo an outcome is unknown: agentform lock resolve ;;",
            "  *) exit 1 ;;",
            "esac",
          ],
        },
      ],
    },
    {
      title: "After 3",
      blocks: [
        "The service may have made the object or not. It is not made again, and what depends on it waits. Look in the service, then say what you found with `agentform lock resolve`.",
      ],
    },
  ],
  documents: ["answers.md", "repairing-the-lock.md"],
};

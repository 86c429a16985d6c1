import { fields } from "../../../generated/fields.js";
import { validate } from "../../../generated/validate-agent.js";
import { findId } from "../identity.js";
import type { Kind } from "../kind.js";

const idFields = ["agent_id", "_id", "id"];

/** An agent (docs/interface.md, 2.3, operations 4 and 5): an update sends its whole body. */
export const agent: Kind = {
  name: "agent",
  document: "Agent",
  noun: ["agent", "agents"],
  folder: "agents",
  title: "name",
  prose: ["system_prompt"],
  words: ["agent", "agents"],
  validate,
  fields: fields.agent,
  create: { host: "base", method: "POST", path: "/v3/agents/" },
  unknownField: "warning",
  replacedBy: [],
  updatesWhole: true,
  creationOnly: [],
  outlined: [],
  outline: (body) => ({ body, documents: {} }),
  check: () => [],
  creation: (body) => body,
  idFields,
  update: ({ id }, _fields, body) => {
    if (id === undefined) return [];
    return [{ host: "base", method: "PUT", path: `/v3/agents/${encodeURIComponent(id)}`, body }];
  },
  identify(answer, _body, { idPointer }) {
    const id = findId(answer, idFields, idPointer);
    return id === undefined ? undefined : { id };
  },
};

import type {
  DeleteOperation as WrittenDelete,
  ListOperation as WrittenList,
  ReadOperation as WrittenRead,
  ServiceOperations,
  ServiceSettings,
  UpdateOperation as WrittenUpdate,
} from "../../generated/workspace.js";
import type { KindName } from "../../generated/kinds.js";
import { pointerKeys } from "../../json/json-pointer.js";
import type { Deployment, KindOperations } from "./deployment.js";
import type { Kind } from "./kind.js";
import { kindNames, kinds } from "./kinds.js";

/** An operation as a manifest has it. */
export type WrittenOperation = WrittenRead | WrittenList | WrittenUpdate | WrittenDelete;
const notFound: readonly number[] = [404];

/** What a manifest says of the deployment that bears on its operations. */
type WrittenDeployment = Pick<ServiceSettings, "operations" | "id_pointers" | "field_names">;

/** Gives what the manifest says that the deployment can do; its forms are checked before. */
export function deploymentOf(service: WrittenDeployment): Deployment {
  return Object.fromEntries(
    kindNames.flatMap((name) => {
      const written = service.operations?.[name];
      if (!written || Object.keys(written).length === 0) return [];
      return [[name, operationsOf(written, kinds[name], idFieldsOf(kinds[name], service))]];
    }),
  );
}

// Where the answer to a create has the ID in a field of another name, a read and a list may have it there, too.
function idFieldsOf(
  kind: Kind,
  { id_pointers: pointers = {}, field_names: names }: WrittenDeployment,
): string[] {
  const pointer = pointers[kind.operations ? "tool" : kind.name] ?? "";
  const fields = [...pointerKeys(pointer).slice(-1), ...kind.idFields];
  // The deployment's name of another field, such as that of a reference, says nothing of the object.
  const taken = new Set(Object.values(names ?? {}));
  return fields.filter((field) => !taken.has(field));
}

function operationsOf(
  written: NonNullable<ServiceOperations[KindName]>,
  kind: Kind,
  idFields: readonly string[],
): KindOperations {
  const { read, list, delete: deletion } = written;
  const update = "update" in written ? written.update : undefined;
  return {
    ...(read !== undefined && {
      read: {
        ...requestOf(read, "GET", kind),
        object: said(read)?.object ?? "",
        ...idOf(said(read)?.id),
        idFields,
        gone: said(read)?.gone ?? notFound,
      },
    }),
    ...(list !== undefined && { list: { ...requestOf(list, "GET", kind), ...pagesOf(list), idFields } }),
    ...(update !== undefined && { update: requestOf(update, "PUT", kind) }),
    ...(deletion !== undefined && {
      delete: { ...requestOf(deletion, "DELETE", kind), gone: said(deletion)?.gone ?? notFound },
    }),
  };
}

function pagesOf(list: WrittenList) {
  const { items = "", object = "", id, next, parameter } = said(list) ?? {};
  return {
    items,
    object,
    ...idOf(id),
    ...(next !== undefined && { next: { pointer: next, ...(parameter !== undefined && { parameter }) } }),
  };
}

function idOf(id: string | undefined): { id?: string } {
  return id === undefined ? {} : { id };
}

function said<Form extends WrittenOperation>(written: Form): Exclude<Form, string> | undefined {
  return typeof written === "string" ? undefined : (written as Exclude<Form, string>);
}

function requestOf<Method extends string>(written: WrittenOperation, method: Method, kind: Kind) {
  const path = requestText(written).replace(/^\S+\s+/, "");
  return { host: said(written)?.host ?? kind.create.host, method, path };
}

/** Gives method and path of an operation as a manifest has them. */
export function requestText(written: WrittenOperation): string {
  return typeof written === "string" ? written : written.request;
}

import type {
  DeleteOperation as WrittenDelete,
  ListOperation as WrittenList,
  ReadOperation as WrittenRead,
  ServiceOperations,
  UpdateOperation as WrittenUpdate,
} from "../../generated/workspace.js";
import type { KindName } from "../../generated/kinds.js";
import type { Deployment, KindOperations } from "./deployment.js";
import type { Kind } from "./kind.js";
import { kindNames, kinds } from "./kinds.js";

/** An operation as a manifest has it. */
export type WrittenOperation = WrittenRead | WrittenList | WrittenUpdate | WrittenDelete;
const notFound: readonly number[] = [404];

/** Gives what the manifest says that the deployment can do; its forms are checked before. */
export function deploymentOf(operations: ServiceOperations = {}): Deployment {
  return Object.fromEntries(
    kindNames.flatMap((name) => {
      const written = operations[name];
      return written && Object.keys(written).length > 0 ? [[name, operationsOf(written, kinds[name])]] : [];
    }),
  ) as Deployment;
}

function operationsOf(written: NonNullable<ServiceOperations[KindName]>, kind: Kind): KindOperations {
  const { read, list, delete: deletion } = written;
  const update = "update" in written ? written.update : undefined;
  return {
    ...(read !== undefined && {
      read: {
        ...requestOf(read, "GET", kind),
        object: said(read)?.object ?? "",
        gone: said(read)?.gone ?? notFound,
      },
    }),
    ...(list !== undefined && { list: { ...requestOf(list, "GET", kind), ...pagesOf(list) } }),
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
    ...(id !== undefined && { id }),
    ...(next !== undefined && { next: { pointer: next, ...(parameter !== undefined && { parameter }) } }),
  };
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

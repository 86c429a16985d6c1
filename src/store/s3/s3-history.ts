import { bare, say } from "../../core/finding/said.js";
import { parseXML } from "@aws-sdk/xml-builder";
import { mapAtOnce } from "../../json/at-once.js";
import { isObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { StoreFailedError, unlessMediumFails } from "../../core/state/lock-store.js";
import { writtenAt, type KeptVersion } from "../medium/medium-store.js";
import { hostHeader, serialHeader, type S3Bucket } from "./s3-bucket.js";
import { errorCode, refusalOf } from "./s3-refusal.js";

interface ObjectVersion {
  readonly id: string;
  /** In ISO 8601. */
  readonly at: string;
}

/** How many versions of the object are looked at: as many as a server lists at once. */
const listed = 1000;

/** How many versions are asked for at a time. */
const together = 8;

/** How many of the last versions are compared, each time the state is read. */
const compared = 4;

/** Gives the highest serial of a lock among the last versions; nothing if they cannot be listed. */
export async function newestSerial(bucket: S3Bucket): Promise<number | undefined> {
  const reading = async () => {
    const versions = await objectVersions(bucket, compared);
    return await Promise.all(versions.map((one) => lockOf(bucket, one)));
  };
  // Who may read the state may perhaps not list its versions.
  const locks = await unlessMediumFails(reading(), () => []);
  const serials = locks.flatMap((lock) => lock?.serial ?? []);
  return serials.length === 0 ? undefined : Math.max(...serials);
}

/** Gives the versions of the lock in a bucket, newest first; only the present one if the bucket keeps no others. */
export async function keptLocks(bucket: S3Bucket): Promise<KeptVersion[]> {
  const versions = await objectVersions(bucket);
  const found = await mapAtOnce(versions, together, (one) => lockOf(bucket, one));
  const locks = found.filter((one) => one !== undefined);
  // An apply writes several versions with the same lock, and the first of them is where it was new.
  return locks.filter(({ serial }, index) => locks[index + 1]?.serial !== serial);
}

async function lockOf(
  bucket: S3Bucket,
  version: ObjectVersion | undefined,
): Promise<KeptVersion | undefined> {
  const query = version === undefined ? {} : { versionId: version.id };
  const answer = await bucket.ask({ method: "HEAD", key: bucket.key, query });
  // It may have been removed by now, by a rule of the bucket.
  if (answer.ok && answer.status === 404) return undefined;
  if (!answer.ok || answer.status !== 200) throw refusalOf(answer, "read", bucket.name).failure;
  const { [serialHeader]: serial, [hostHeader]: who, "last-modified": modified = "" } = answer.headers;
  if (serial === undefined || !/^\d{1,15}$/.test(serial)) return undefined;
  const at = version?.at ?? writtenAt(Date.parse(modified));
  return {
    serial: Number(serial),
    at,
    ...(who !== undefined && /^[\w.-]{1,100}$/.test(who) && { who }),
    text: () => textOf(bucket, query),
  };
}

async function textOf(bucket: S3Bucket, query: Readonly<Record<string, string>>): Promise<string | null> {
  const answer = await bucket.ask({ method: "GET", key: bucket.key, query });
  if (!answer.ok || answer.status !== 200) throw refusalOf(answer, "read", bucket.name).failure;
  // Somebody may have put another state here by mistake, or a page: whose a lock is, is judged where it is used.
  const { value } = parseJson(answer.text ?? "");
  return isObject(value) && typeof value.lock === "string" ? value.lock : null;
}

/** Lists the versions of the object, newest first; one that is undefined stands for the present one. */
async function objectVersions(bucket: S3Bucket, most = listed): Promise<(ObjectVersion | undefined)[]> {
  const answer = await bucket.ask({
    method: "GET",
    query: { versions: "", prefix: bucket.key, "max-keys": String(most) },
  });
  // Not every server has versions.
  if (answer.ok && (answer.status === 501 || errorCode(answer) === "NotImplemented")) return [undefined];
  if (!answer.ok || answer.status !== 200) {
    const { failure } = refusalOf(answer, "listed", bucket.name);
    const hint =
      "the versions need s3:ListBucketVersions for the bucket, and s3:GetObjectVersion for the key";
    throw new StoreFailedError(failure.message, `${failure.hint}; ${hint}`);
  }
  // Not every server keeps to the number that it was asked for.
  return versionsIn(parsed(answer.text ?? "", bucket.name), bucket.key).slice(0, most);
}

function parsed(text: string, name: string): unknown {
  try {
    return parseXML(text);
  } catch {
    throw new StoreFailedError(
      say`${bare({ lock: name })} could not be listed: the answer is not XML`,
      "check that `endpoint` of `spec.lock` is the address of S3, and no page or proxy in front of it",
    );
  }
}

function versionsIn(answer: unknown, key: string): ObjectVersion[] {
  return membersOf(member(member(answer, "ListVersionsResult"), "Version")).flatMap((version) => {
    const [of, id, modified] = ["Key", "VersionId", "LastModified"].map((name) => member(version, name));
    const time = Date.parse(String(modified));
    const isUsable = of === key && typeof id === "string" && !Number.isNaN(time);
    return isUsable ? [{ id, at: new Date(time).toISOString() }] : [];
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

// One element is not a list.
function membersOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

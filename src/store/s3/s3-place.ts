import type { S3Location } from "../../core/resources/lock-location.js";

/** Where the state of one environment is, and for which region its requests are signed. */
export interface S3Place {
  /** The address of the bucket, which ends with a slash. */
  readonly bucket: URL;
  readonly key: string;
  readonly region: string;
  /** How messages name the state. */
  readonly name: string;
}

/** Finds the address of a bucket: of Amazon's, or by path at the endpoint of another server. */
export function placeOf({ bucket, key, region, endpoint }: S3Location): S3Place {
  const name = `s3://${bucket}/${key}`;
  if (endpoint !== undefined) {
    return { bucket: new URL(`${endpoint.replace(/\/+$/, "")}/${bucket}/`), key, region, name };
  }
  const host = `s3.${region}.${domainOf(region)}`;
  // A certificate covers one label, and a host name has no capital letters.
  const isHost = /^[a-z0-9-]+$/.test(bucket);
  const address = isHost ? `https://${bucket}.${host}/` : `https://${host}/${bucket}/`;
  return { bucket: new URL(address), key, region, name };
}

function domainOf(region: string): string {
  if (region.startsWith("cn-")) return "amazonaws.com.cn";
  return region.startsWith("eusc-") ? "amazonaws.eu" : "amazonaws.com";
}

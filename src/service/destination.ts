/** Where a request goes, and which key of the manifest sets it. */
export interface Destination {
  readonly url: URL;
  /** The path of the operation; the URL ends with it. */
  readonly path: string;
  /** The key under `service` in the manifest that holds the address before the path. */
  readonly setting: "base_url" | "rai_base_url";
}

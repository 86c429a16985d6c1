/** Where a request goes, and what of the manifest says so. */
export interface Destination {
  readonly url: URL;
  /** The path of the operation, with which the URL ends. */
  readonly path: string;
  /** The key of the manifest's service that holds the address before the path. */
  readonly setting: "base_url" | "rai_base_url";
}

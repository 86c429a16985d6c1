/** Gives the address after `#` in the page's URL, or an empty text. */
export function addressInLocation(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/** Puts an address into the page's URL, so that a copied link leads to it. */
export function writeLocation(address: string): void {
  try {
    history.replaceState(null, "", `#${encodeURIComponent(address).replaceAll("%3A", ":")}`);
  } catch {
    // A frame of a different origin may not do this; the page works without it.
  }
}

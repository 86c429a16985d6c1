const telling =
  /secret|passw(?:or)?d|token(?!i[sz]|s$)|api-?key|subscription-?key|access-?key|private-?key|credential|signature|x-?auth(?!or)|cookie|authorization/;

// What is said about a secret is none, such as the address that gives tokens, or the name of a header.
const about =
  /-(?:algorithm|count|endpoint|expires|expiry|field|format|header|ids?|length|limit|location|method|mode|names?|path|policy|prefix|scheme|ttl|type|uri|url|version)$/;

/** Whether a name says that its value is a secret, however it is spelled, such as `clientSecret` or `X-Auth`. */
export function tellsSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return (telling.test(words) || /(?:^|-)sig$/.test(words)) && !about.test(words);
}

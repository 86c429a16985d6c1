/** Files that have secrets by custom, whatever git is told to ignore; only what a text has nothing to do with. */
const names = [
  /^\.env(rc|$|\.(?!(example|sample|template|dist)$))/,
  /\.(env|pem|key|p12|pfx|jks|keystore|kdbx|tfstate|tfvars)$/,
  /^id_[a-z0-9_]+$/,
  /^([._]netrc|\.npmrc|\.yarnrc(\.yml)?|\.pypirc|\.pgpass|\.my\.cnf|\.htpasswd|\.dockercfg|\.git-credentials|\.vault-token)$/,
  /^(credentials|credentials\.(json|ini|csv|toml)|kubeconfig|service[-_]account[^.]*\.json)$/,
];

/** Folders in which programs keep their login. */
const folders = /^\.(ssh|aws|azure|gnupg|kube|docker|gcloud)$/;

/** Whether a file, by its path with `/`, has a name that is usual for secrets. */
export function holdsSecrets(file: string): boolean {
  // As most documents are called; what follows is slow for ten thousand of them.
  if (/^[\w/-]+\.ya?ml$/.test(file)) return false;
  // Characters without a width are no part of a name to some file systems; nor are blanks and dots at its end.
  const segments = file
    .replace(/\p{Cf}/gu, "")
    .toLowerCase()
    .split("/")
    .map((segment) => segment.replace(/:.*$|[. ]+$/, ""));
  const last = segments.at(-1) ?? "";
  return names.some((name) => name.test(last)) || segments.some((segment) => folders.test(segment));
}

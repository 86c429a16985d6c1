import { describeApplies } from "./apply-conformance.js";
import { fileMedium, gitMedium, httpMedium, postgresMedium, s3Medium } from "./conformance-media.js";
import type { ConformanceMedium } from "./conformance-medium.js";
import { sample } from "../harness/tier.js";
import { usePostgres } from "./postgres-medium.js";

usePostgres();

// The others are tested whole; what is particular to each is tested with it.
const media: [name: string, make: () => Promise<ConformanceMedium>][] = [
  ["the HTTP store in GitLab", () => httpMedium({ form: "gitlab", credentials: "user:token" })],
  ["the file store", fileMedium],
  ["the git store", gitMedium],
  ["the HTTP store", () => httpMedium()],
  ["the PostgreSQL store", () => postgresMedium()],
  ["the S3 store", s3Medium],
];

for (const [name, make] of sample("stores", media, 2)) describeApplies(name, make);

import { describeApplies } from "./apply-conformance.js";
import { fileMedium, gitMedium, httpMedium, postgresMedium, s3Medium } from "./conformance-media.js";
import { usePostgres } from "./postgres-medium.js";

usePostgres();

describeApplies("the file store", fileMedium);
describeApplies("the git store", gitMedium);
describeApplies("the HTTP store", httpMedium);
describeApplies("the HTTP store in GitLab", () => httpMedium({ form: "gitlab", credentials: "user:token" }));
describeApplies("the PostgreSQL store", () => postgresMedium());
describeApplies("the S3 store", s3Medium);

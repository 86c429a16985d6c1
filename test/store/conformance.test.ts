import { describeApplies } from "./apply-conformance.js";
import { fileMedium, gitMedium, httpMedium, s3Medium } from "./conformance-media.js";

describeApplies("the file store", fileMedium);
describeApplies("the git store", gitMedium);
describeApplies("the HTTP store", httpMedium);
describeApplies("the HTTP store in GitLab", () => httpMedium({ form: "gitlab", credentials: "user:token" }));
describeApplies("the S3 store", s3Medium);

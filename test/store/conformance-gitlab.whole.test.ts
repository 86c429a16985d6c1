import { describeApplies } from "./apply-conformance.js";
import { httpMedium } from "./conformance-media.js";

describeApplies("the HTTP store in GitLab", () => httpMedium({ form: "gitlab", credentials: "user:token" }));

import { describeApplies } from "./apply-conformance.js";
import { s3Medium } from "./conformance-media.js";

describeApplies("the S3 store", s3Medium);

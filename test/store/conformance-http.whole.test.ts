import { describeApplies } from "./apply-conformance.js";
import { httpMedium } from "./conformance-media.js";

describeApplies("the HTTP store", () => httpMedium());

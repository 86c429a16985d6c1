import { describeApplies } from "./apply-conformance.js";
import { fileMedium } from "./conformance-media.js";

describeApplies("the file store", fileMedium);

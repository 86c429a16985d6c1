import { describeApplies } from "./apply-conformance.js";
import { gitMedium } from "./conformance-media.js";

describeApplies("the git store", gitMedium);

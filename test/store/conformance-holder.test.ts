import { fileMedium } from "./conformance-media.js";
import { describeOnlyHolder } from "./only-holder.js";

// The gravest promise is tested in each tier, on the store that every machine has.
describeOnlyHolder("the file store", fileMedium);

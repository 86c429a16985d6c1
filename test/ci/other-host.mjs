/** Preloaded into the command line: its machine has the name of TEST_HOST, so that it is another than the next. */
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

os.hostname = () => process.env.TEST_HOST ?? "";
syncBuiltinESMExports();

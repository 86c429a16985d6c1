import { runProcess } from "./main.js";

await runProcess();

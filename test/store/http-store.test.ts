import { describeLockStore } from "./conformance.js";
import { makeHttpMedium } from "./http-medium.js";

for (const form of ["plain", "gitlab"] as const) {
  describeLockStore(`the HTTP store on a ${form} server`, async () => {
    const medium = await makeHttpMedium({ form });
    const directory = medium.machine("runner");
    return { store: medium.open(directory), second: medium.open(directory) };
  });
}

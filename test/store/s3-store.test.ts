import { describeLockStore } from "./conformance.js";
import { makeS3Medium } from "./s3-medium.js";

describeLockStore("the S3 store", async () => {
  const medium = await makeS3Medium();
  const directory = medium.machine("runner");
  return { store: medium.open(directory), second: medium.open(directory) };
});

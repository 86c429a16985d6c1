/** What the value of every secret begins with. */
export const canary = "s3cr3t";

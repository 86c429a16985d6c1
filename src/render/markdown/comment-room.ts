/** The UTF-8 bytes that a comment of a pull request has room for, with some to spare. */
export const commentBytes = 60_000;

/** The UTF-8 bytes below which a plan has no room for what must be said of it. */
export const leastBytes = 2_000;

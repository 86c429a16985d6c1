/** Gives a port on loopback at which nothing listens, for a program that must be told its port. */
export function freePort(): Promise<number>;

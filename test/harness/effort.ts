/** Gives the processor time that something takes, in milliseconds; what the machine does beside it does not count. */
export function effort(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The CPU time that this process takes for the work, in milliseconds. Unlike elapsed time it does not depend on the machine's load. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

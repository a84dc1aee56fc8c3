const FACTOR = 8;
const ROUNDS = 5;
/** What may be spent on measuring again. */
const MOST_CPU_MS = 5_000;

/**
 * More than `growth` returns for work in proportion to its input: about 8, and several times as much if only the smaller input fits the
 * processor's caches. It is about 64 if the time grows with the square.
 */
export const LINEAR = 40;

/**
 * How many times as long the work takes for eight times the input. Unlike a time it does not depend on the machine. It compares the least
 * CPU times, because the others include the collection of garbage. The large input comes first: the small one then runs code that is
 * compiled, and its time is not too long. A result of at least `LINEAR` is measured again. The input of `size` should be so large that
 * quadratic work, which this is to find, would take some milliseconds.
 */
export async function growth<I>(inputOf: (size: number) => I, size: number, work: (input: I) => unknown): Promise<number> {
  const [small, large] = [inputOf(size), inputOf(FACTOR * size)];
  let ofLarge = await cpuMs(() => work(large));
  let [ofSmall, spent] = [Infinity, ofLarge];
  for (let round = 0; round < ROUNDS; round++) ofSmall = Math.min(ofSmall, await cpuMs(() => work(small)));
  while (ofLarge / ofSmall >= LINEAR && spent < MOST_CPU_MS) {
    const again = await cpuMs(() => work(large));
    [ofLarge, spent] = [Math.min(ofLarge, again), spent + again];
  }
  return ofLarge / ofSmall;
}

/** In milliseconds. Unlike elapsed time it does not include what other processes do meanwhile. */
async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

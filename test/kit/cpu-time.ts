const FACTOR = 4;
const FEWEST_ROUNDS = 6;
const MOST_ROUNDS = 40;

/** More than `growth` returns for work in proportion to its input, which is about 4. It is about 16 if the time grows with the square. */
export const LINEAR = 8;

/**
 * How many times as long the work takes for four times the input. Unlike a time it does not depend on the machine. It compares the least
 * CPU times of several rounds, because the others include the collection of garbage; a result of at least `LINEAR` is measured again. The
 * input of `size` should be so large that quadratic work, which this is to find, would take some milliseconds.
 */
export async function growth<I>(inputOf: (size: number) => I, size: number, work: (input: I) => unknown): Promise<number> {
  const [small, large] = [inputOf(size), inputOf(FACTOR * size)];
  let [ofSmall, ofLarge] = [Infinity, Infinity];
  for (let round = 0; round < FEWEST_ROUNDS || (round < MOST_ROUNDS && ofLarge / ofSmall >= LINEAR); round++) {
    ofSmall = Math.min(ofSmall, await cpuMs(() => work(small)));
    ofLarge = Math.min(ofLarge, await cpuMs(() => work(large)));
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

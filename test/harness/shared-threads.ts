import { Piscina as Threads } from 'piscina';

// Takes the place of piscina in the processes of `app-host.ts`: the applications of a process use the same threads, and none ends them.
// A thread that typesets or reads PDF files takes up to a second of CPU time to load its packages.

const IDLE_MS = 2 * 60_000;
const shared = new Map<string, Threads>();

/** Called with `new`. */
export function Piscina(options: ConstructorParameters<typeof Threads>[0]): Threads {
  const key = JSON.stringify(options);
  const threads = shared.get(key) ?? new Threads({ ...options, idleTimeout: IDLE_MS });
  shared.set(key, threads);
  threads.destroy = () => Promise.resolve();
  // each application adds one
  threads.setMaxListeners(0);
  return threads;
}

import { TooLong } from './reading-limits.js';

/** An error that a file from outside causes, at every attempt. */
export class FileFault extends Error {}

/**
 * Runs work that reads or changes a file from outside: its errors are faults of the file, except that memory may be short. Work that
 * does not depend on the file belongs outside of it.
 */
export async function onFile<R>(work: () => R | Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof FileFault || cause instanceof TooLong || isOutOfMemory(cause)) throw cause;
    throw new FileFault((cause as Error).message, { cause });
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /allocation/i.test(error.message);
}

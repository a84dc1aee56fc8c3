/** A part of a scheduled job. `subject` says of what, in the message of a failure. */
export interface Step {
  subject: string;
  run(): Promise<void>;
}

/**
 * Runs all steps in turn, also those after one that failed.
 * @throws Error with all that failed, after the last one
 */
export async function runAll(steps: readonly Step[], failure: string, signal: AbortSignal): Promise<void> {
  const failures = new Set<string>();
  for (const { subject, run } of steps) {
    signal.throwIfAborted();
    try {
      await run();
    } catch (error) {
      signal.throwIfAborted();
      failures.add(`${subject}: ${(error as Error).message}`);
    }
  }
  if (failures.size > 0) throw new Error(`${failure} ${[...failures].join('; ')}`);
}

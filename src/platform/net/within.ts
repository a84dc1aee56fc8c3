/** Settles with the work, or rejects when the signal aborts, also if the work ignores the signal. */
export function within<R>(signal: AbortSignal, work: Promise<R>): Promise<R> {
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([work, aborted]);
}

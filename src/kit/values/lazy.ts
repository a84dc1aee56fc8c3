/**
 * A value that is loaded when it is first needed, once for all callers. After a failure, the next caller loads it again.
 *
 * @example
 * ```ts
 * import { Lazy } from 'work-suite/kit';
 *
 * const crypto = new Lazy(() => import('node:crypto'));
 * export const newName = async () => (await crypto.get()).randomUUID();
 * ```
 */
export class Lazy<T> {
  private loading: Promise<T> | undefined;

  constructor(private readonly load: () => Promise<T>) {}

  /** Throws what loading threw. */
  get(): Promise<T> {
    if (this.loading) return this.loading;
    const loading = (async () => this.load())();
    this.loading = loading;
    loading.catch(() => (this.loading = undefined));
    return loading;
  }

  /** The value if it was loaded, otherwise undefined. Never loads it: for closing what was opened. */
  async ifLoaded(): Promise<T | undefined> {
    return this.loading?.catch(() => undefined);
  }
}

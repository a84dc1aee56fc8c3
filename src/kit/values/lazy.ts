/** A value that is loaded when it is first needed, once for all who ask. After a failure, the next who asks loads it again. */
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

  /** The value, or undefined if nobody needed it or it could not be loaded; for closing what was opened. Never loads it. */
  async ifLoaded(): Promise<T | undefined> {
    return this.loading?.catch(() => undefined);
  }
}

/** A cache of buffers with a limit on their total size; drops the least recently used first. */
export class ByteLru {
  private readonly entries = new Map<string, Buffer>();
  private readonly capacity: number;
  private size = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get(key: string): Buffer | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  set(key: string, value: Buffer): void {
    const replaced = this.entries.get(key);
    if (replaced !== undefined) this.size -= replaced.length;
    this.entries.delete(key);
    this.entries.set(key, value);
    this.size += value.length;
    for (const [oldest, dropped] of this.entries) {
      if (this.size <= this.capacity || oldest === key) break;
      this.entries.delete(oldest);
      this.size -= dropped.length;
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

const AGAIN_MS = 500;

interface Work<T> {
  /** Items of one batch at most. */
  size: number;
  /** How long a batch that fails is tried again. */
  keepTryingMs: number;
  work(batch: readonly T[]): Promise<void>;
  giveUp(batch: readonly T[], error: Error): void;
}

/** Works through what comes, one batch at a time; what comes together goes together. */
export class Backlog<T> {
  private readonly items: T[] = [];
  private working: Promise<void> | undefined;

  constructor(private readonly options: Work<T>) {}

  add(item: T): void {
    this.items.push(item);
    this.working ??= this.run();
  }

  async drain(): Promise<void> {
    await this.working;
  }

  private async run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    let giveUpAt = Date.now() + this.options.keepTryingMs;
    while (this.items.length > 0) {
      const batch = this.items.splice(0, this.options.size);
      try {
        await this.options.work(batch);
      } catch (error) {
        if (Date.now() <= giveUpAt) {
          this.items.unshift(...batch);
          await sleep(AGAIN_MS);
          continue;
        }
        this.options.giveUp(batch, error as Error);
      }
      giveUpAt = Date.now() + this.options.keepTryingMs;
    }
    this.working = undefined;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { inWork } from '../../../kit/internal.js';
import { TaskWork } from '../../logging/task-work.js';

export interface BatchWriterOptions<T> {
  /** What is written, for the server's log: `rows of the request log`. */
  items: string;
  /** Writes a batch in one statement. Called again with the same items if it fails, so it must be safe to repeat. */
  write(batch: readonly T[]): Promise<unknown>;
  maxBatch: number;
  /** Delay from the first item to the write; 0: items that are added in one tick of the event loop are written together. */
  delayMs: number;
  /** This number of items is written without waiting for the delay. */
  writeAt?: number;
  /** Total size of waiting items. If more come than can be written, the oldest are lost. */
  capacity?: number;
  /** Default: 1, so that the capacity is a number of items. */
  sizeOf?(item: T): number;
  /** A batch that fails for this long is lost. Default: items are kept until the capacity is exceeded or the process ends. */
  retryForMs?: number;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
const ATTEMPTS_AT_SHUTDOWN = 3;

/**
 * Collects items and writes them in batches, one at a time. A batch that fails is retried with increasing delays; an item that
 * PostgreSQL rejects is lost without the others of its batch. Call `close` before the database closes.
 */
export class BatchWriter<T> {
  private readonly log = new Logger('Batches');
  private items: T[] = [];
  private size = 0;
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private writing: Promise<void> | undefined;
  private failures = 0;
  private failingSince = 0;
  private lostItems = 0;
  private readonly work: TaskWork;

  constructor(private readonly options: BatchWriterOptions<T>) {
    this.work = new TaskWork(`writing ${options.items}`, {});
  }

  /** Items that were lost since the start. */
  get lost(): number {
    return this.lostItems;
  }

  /** Returns immediately and never throws. */
  add(item: T): void {
    const { capacity = Infinity, maxBatch, writeAt } = this.options;
    const size = this.sizeOf(item);
    while (this.size + size > capacity && this.items.length > 0)
      this.lose(this.take(maxBatch).length, 'the database does not take them fast enough');
    this.items.push(item);
    this.size += size;
    if (this.items.length === writeAt && this.failures === 0) this.writeSoon();
    else this.schedule();
  }

  /** Writes all items that were added before. Also resolves if that failed and is retried later. */
  async flush(): Promise<void> {
    await this.writing;
    await this.write();
  }

  /** Writes the remaining items. Those that cannot be written now, or within `retryForMs` if set, are lost. */
  async close(): Promise<void> {
    for (let attempt = 1; this.items.length > 0 || this.writing; attempt++) {
      await this.flush();
      if (this.items.length === 0) break;
      if (this.options.retryForMs === undefined && attempt === ATTEMPTS_AT_SHUTDOWN)
        this.lose(this.take(this.items.length).length, 'the database could not be reached at the shutdown');
      else await sleep(this.retryDelay());
    }
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private schedule(): void {
    if (this.timer || this.immediate || this.writing) return;
    if (this.failures > 0) this.timer = setTimeout(() => void this.write(), this.retryDelay()).unref();
    else if (this.options.delayMs === 0) this.writeSoon();
    else this.timer = setTimeout(() => void this.write(), this.options.delayMs).unref();
  }

  private writeSoon(): void {
    this.immediate ??= setImmediate(() => void this.write());
  }

  private write(): Promise<void> {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
    this.timer = this.immediate = undefined;
    return (this.writing ??= inWork(this.work, () => this.writeAll()).finally(() => {
      this.writing = undefined;
      if (this.items.length > 0) this.schedule();
    }));
  }

  private async writeAll(): Promise<void> {
    while (this.items.length > 0) {
      const batch = this.take(this.options.maxBatch);
      try {
        await this.writeBatch(batch);
        this.failures = 0;
      } catch (error) {
        return this.retryLater(batch, error as Error);
      }
    }
  }

  private async writeBatch(batch: readonly T[]): Promise<void> {
    try {
      await this.options.write(batch);
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (batch.length === 1) return this.lose(1, (error as Error).message);
      const half = Math.ceil(batch.length / 2);
      await this.writeBatch(batch.slice(0, half));
      await this.writeBatch(batch.slice(half));
    }
  }

  private retryLater(batch: readonly T[], error: Error): void {
    if (this.failures++ === 0) this.failingSince = Date.now();
    const { retryForMs = Infinity, items } = this.options;
    if (Date.now() - this.failingSince > retryForMs) {
      this.failures = 0;
      return this.lose(batch.length, error.message);
    }
    this.items = batch.concat(this.items);
    for (const item of batch) this.size += this.sizeOf(item);
    this.log.warn(`${this.items.length} ${items} could not be written yet and are retried: ${error.message}`);
  }

  /** Removes the oldest items. */
  private take(count: number): T[] {
    const taken = this.items.splice(0, count);
    for (const item of taken) this.size -= this.sizeOf(item);
    return taken;
  }

  private sizeOf(item: T): number {
    return this.options.sizeOf?.(item) ?? 1;
  }

  private retryDelay(): number {
    return Math.min(FIRST_RETRY_MS * 2 ** this.failures, LONGEST_RETRY_MS);
  }

  private lose(count: number, reason: string): void {
    this.lostItems += count;
    this.log.error(`${count} ${this.options.items} are lost (${this.lostItems} since the start): ${reason}`);
  }
}

/** SQLSTATE classes 22 and 23: the data is invalid, so a retry would fail too. */
function isDataError(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}

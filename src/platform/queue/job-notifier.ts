import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { outsideOfWork } from '../../kit/internal.js';

/** The name of the BullMQ queue. */
export const NOTIFICATIONS = 'job-notifications';

/** A notification costs as much as a small transaction, and a worker takes all work that is due. */
const INTERVAL_MS = 10;

/** Notifies workers of due work. A lost notification delays work but never loses it. */
@Injectable()
export class JobNotifier implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('Queue');
  private readonly sending = new Map<string, { again: boolean }>();
  private down = false;
  private closing = false;

  constructor(@InjectQueue(NOTIFICATIONS) private readonly queue: Queue) {}

  onModuleInit(): void {
    this.queue.on('error', (error) => this.warnOnce(error));
  }

  beforeApplicationShutdown(): void {
    this.closing = true;
  }

  /**
   * Notifies the workers of a `WorkQueue`: at once, unless a notification of the queue is in flight or was sent in the last 10 ms. Calls
   * made meanwhile are combined into one more.
   */
  notify(name: string): void {
    const earlier = this.sending.get(name);
    if (earlier) earlier.again = true;
    else void outsideOfWork(() => this.send(name));
  }

  private async send(name: string): Promise<void> {
    const state = { again: false };
    this.sending.set(name, state);
    try {
      await this.queue.add(name, {}, { removeOnComplete: true, removeOnFail: true });
      this.down = false;
    } catch (error) {
      this.warnOnce(error as Error);
    }
    setTimeout(() => {
      this.sending.delete(name);
      if (state.again && !this.closing) void this.send(name);
    }, INTERVAL_MS).unref();
  }

  private warnOnce(error: Error): void {
    if (!this.down) this.log.warn(`The queue cannot be reached; workers poll for due work until it can: ${error.message}`);
    this.down = true;
  }
}

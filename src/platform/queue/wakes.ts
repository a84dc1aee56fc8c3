import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';

export const WAKES = 'wakes';

/** Tells the workers, through the queue, that something is due. A wake that gets lost costs time, never work. */
@Injectable()
export class Wakes implements OnModuleInit {
  private readonly log = new Logger('Queue');
  private readonly sending = new Map<string, { again: boolean }>();
  private down = false;

  constructor(@InjectQueue(WAKES) private readonly queue: Queue) {}

  onModuleInit(): void {
    this.queue.on('error', (error) => this.note(error));
  }

  /** At most one job per name is on its way from this process; wakes that come meanwhile are one more. */
  wake(name: string): void {
    const earlier = this.sending.get(name);
    if (earlier) earlier.again = true;
    else void this.send(name);
  }

  private async send(name: string): Promise<void> {
    const state = { again: true };
    this.sending.set(name, state);
    try {
      while (state.again) {
        state.again = false;
        await this.queue.add(name, {}, { removeOnComplete: true, removeOnFail: true });
        this.down = false;
      }
    } catch (error) {
      this.note(error as Error);
    } finally {
      this.sending.delete(name);
    }
  }

  private note(error: Error): void {
    if (!this.down) this.log.warn(`The queue cannot be reached, so workers find what is due by themselves: ${error.message}`);
    this.down = true;
  }
}

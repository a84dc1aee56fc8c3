import { Injectable } from '@nestjs/common';

/** When each of this process's queues last claimed, whether or not something was due. */
@Injectable()
export class Progress {
  /** Times of the monotonic clock, which clock corrections do not affect. */
  private readonly claims = new Map<string, number>();

  /** From now on the queue must claim regularly. */
  expect(queue: string): void {
    this.claims.set(queue, performance.now());
  }

  made(queue: string): void {
    if (this.claims.has(queue)) this.claims.set(queue, performance.now());
  }

  forget(queue: string): void {
    this.claims.delete(queue);
  }

  /** The last successful claim of each queue, or when the queue was started. */
  lastClaims(): Record<string, Date> {
    const origin = Date.now() - performance.now();
    return Object.fromEntries([...this.claims].map(([queue, at]) => [queue, new Date(origin + at)]));
  }

  /** The queues that have not claimed since a time of `performance.now()`. */
  stalledSince(time: number): string[] {
    return [...this.claims].filter(([, at]) => at < time).map(([queue]) => queue);
  }
}

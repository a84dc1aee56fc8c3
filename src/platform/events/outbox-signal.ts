import { Injectable } from '@nestjs/common';

/** What a commit left for others to do. */
export interface OutboxNews {
  events: number;
  /** Webhook deliveries that were written with the events. */
  deliveries: number;
  /** Jobs of listeners that were. */
  jobs: number;
}

/** Tells, after a commit, that the outbox has something new; what is told here may get lost, the rows may not. */
@Injectable()
export class OutboxSignal {
  /** The names of the jobs that are added for every internal event. */
  listeners: readonly string[] = [];
  private readonly subscribers: ((news: OutboxNews) => void)[] = [];

  subscribe(subscriber: (news: OutboxNews) => void): void {
    this.subscribers.push(subscriber);
  }

  announce(news: OutboxNews): void {
    for (const tell of this.subscribers) tell(news);
  }
}

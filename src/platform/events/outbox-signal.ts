import { Injectable } from '@nestjs/common';

/** What a commit left for others to do. */
export interface OutboxNews {
  events: number;
  /** Webhook deliveries that were written with the events. */
  deliveries: number;
}

/** Tells, after a commit, that the outbox has something new; what is told here may get lost, the rows may not. */
@Injectable()
export class OutboxSignal {
  private readonly listeners: ((news: OutboxNews) => void)[] = [];

  subscribe(listener: (news: OutboxNews) => void): void {
    this.listeners.push(listener);
  }

  announce(news: OutboxNews): void {
    for (const listener of this.listeners) listener(news);
  }
}

import { Injectable } from '@nestjs/common';

/** What a transaction committed to the outbox. */
export interface OutboxNews {
  events: number;
  /** Webhook deliveries that were written with the events. */
  deliveries: number;
  /** Jobs of listeners that were written with the events. */
  jobs: number;
}

/** A job that is added for events. */
export interface EventListener {
  job: string;
  /** The types that it is added for, public ones included; by default for all internal events. */
  types?: readonly string[] | undefined;
}

/** A job that is also added for public events whose type a row of a module's table requests. */
export interface EventSubscription {
  job: string;
  table: string;
  where: string;
  /** The types that the job is added for without a row. */
  named?: readonly string[];
}

/** Announces after a commit that the outbox has new rows. Announcements may get lost; rows may not. */
@Injectable()
export class OutboxSignal {
  listeners: readonly EventListener[] = [];
  subscriptions: readonly EventSubscription[] = [];
  private readonly subscribers: ((news: OutboxNews) => void)[] = [];

  subscribe(subscriber: (news: OutboxNews) => void): void {
    this.subscribers.push(subscriber);
  }

  announce(news: OutboxNews): void {
    for (const tell of this.subscribers) tell(news);
  }
}

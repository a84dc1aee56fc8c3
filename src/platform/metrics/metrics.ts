import { Injectable } from '@nestjs/common';

/** The labels of each kind of work. Their values come from code, never from a request. */
export interface WorkLabels {
  job: { name: string; outcome: 'done' | 'failed' | 'interrupted' };
  scheduled_job: { name: string; outcome: 'done' | 'failed' | 'interrupted' };
  webhook_delivery: { outcome: 'delivered' | 'waiting' | 'failed' };
  mail: { outcome: 'sent' | 'queued' | 'failed' };
}

/** A finished request. */
export interface MeasuredRequest {
  method: string;
  /** The template of the route; empty if there is none. */
  route: string;
  /** The module of the route, or `platform`. */
  module: string;
  via: 'rest' | 'mcp' | 'console' | 'public_page';
  status: number;
  seconds: number;
  /** The tool that made the request; null if none did. */
  tool: string | null;
  rateLimited: boolean;
}

/** What is due in a queue. */
export interface Backlog {
  queue: string;
  kind: string;
  depth: number;
  /** Since when the oldest is due. */
  oldest_due_seconds: number;
}

/** How often a cache had what was looked for, counted by its owner. */
export interface CacheUse {
  hits: number;
  misses: number;
}

/** What the platform reports of its work. This class ignores it, for processes without metrics. */
@Injectable()
export class Metrics {
  /** Whether anything is measured. */
  readonly enabled: boolean = false;

  requestEnded(_request: MeasuredRequest): void {}

  /** An attempt of a kind of work that has ended, however it ended. */
  workEnded<K extends keyof WorkLabels>(_kind: K, _labels: WorkLabels[K], _milliseconds: number): void {}

  /** Registers a statement without parameters that selects the columns of `Backlog`. It must be cheap: scrapes run it. */
  backlog(_statement: string): void {}

  /** Registers the counts of a cache. `name` is one of the README. */
  cache(_name: string, _use: Readonly<CacheUse>): void {}

  /** Registers what tells whether this process sends webhooks and mails. */
  outbound(_isOpen: () => boolean): void {}
}

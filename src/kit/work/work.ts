import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './span.js';

export type WorkFields = Readonly<Record<string, string | number | null | undefined>>;

/** What the executing code is part of: a request, a job, a delivery. Log lines and slow statements name it. */
export abstract class Work {
  /** As an operator knows it, such as `GET /api/v1/ext/notes/{id}`. */
  abstract readonly operation: string;

  /** Of which spans of this work are children; null without tracing. */
  span: Span | null = null;

  /** The time by which it decides, in place of the present; only of calls on test data. */
  clock: Date | null = null;

  /** The route that only reads, if the work is a request to one: nothing may be written then. */
  readingRoute: string | null = null;

  /** What each log line of this work says, besides its message. Never a secret, nor anything that a client made up. */
  abstract fields(): WorkFields;

  /** The same work, within another span. */
  with(span: Span): Work {
    return Object.create(this, { span: { value: span } }) as Work;
  }
}

const current = new AsyncLocalStorage<Work>();
const outside = AsyncLocalStorage.snapshot();

export function currentWork(): Work | undefined {
  return current.getStore();
}

/** Runs a function, and what it awaits, as part of a work. */
export function inWork<R>(work: Work, run: () => R): R {
  return current.run(work, run);
}

/** Runs a function as part of no work: for what outlives the request that happens to begin it, such as a connection of a pool. */
export function outsideOfWork<R>(run: () => R): R {
  return outside(run);
}

/**
 * A call that `work-suite trigger` makes. A text in its path, query or body is replaced as a whole by `{name.path}`, what the answer of an
 * earlier step has there, such as `{stages.data[kind=won].id}`, and contains `{unique}`, which differs in each run.
 */
export interface TriggerStep {
  /**
   * The operation of a route of the same module, such as `create_note`. A route of signed-in members is called in test mode by the owner of
   * the demo.
   */
  call: string;
  /** Parameters of its path. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  /** The name of its answer for later steps. */
  as?: string;
  /** Makes the call as of so many days ago, by `Svc-Test-Clock`, so that something is due by now. */
  daysAgo?: number;
}

/** The last step of an event that a scheduled job of the module causes. */
export interface TriggerJob {
  job: string;
}

/**
 * By the type of one of the module's events: the calls of which the last causes it.
 *
 * @example
 * ```ts
 * import type { EventTriggers } from 'work-suite/kit';
 *
 * export const NOTE_TRIGGERS: EventTriggers = {
 *   'note.created': [{ call: 'create_note', body: { title: 'Triggered {unique}' } }],
 * };
 * ```
 */
export type EventTriggers = Readonly<Record<string, readonly (TriggerStep | TriggerJob)[]>>;

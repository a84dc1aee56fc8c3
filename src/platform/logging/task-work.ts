import { Work } from '../../kit/internal.js';

/** Work outside of requests: a job, a delivery, a mail. */
export class TaskWork extends Work {
  constructor(
    readonly operation: string,
    private readonly own: Readonly<Record<string, unknown>>,
  ) {
    super();
  }

  override fields(): Readonly<Record<string, unknown>> {
    return this.own;
  }
}

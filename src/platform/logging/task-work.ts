import type { SpanAttributes } from '../../kit/index.js';
import { currentTracer, Work, type SpanOptions, type WorkFields } from '../../kit/internal.js';

/** Work outside of requests: a job, a delivery, a mail. */
export class TaskWork extends Work {
  constructor(
    readonly operation: string,
    private readonly own: WorkFields,
  ) {
    super();
  }

  override fields(): WorkFields {
    return this.own;
  }

  /** With tracing, begins a span that continues the trace of what caused the work. */
  beginSpan(options: SpanOptions = {}): this {
    const tracer = currentTracer();
    if (tracer === null) return this;
    const attributes = Object.fromEntries(Object.entries(this.own).map(([name, value]) => [`work_suite.${name}`, value ?? undefined]));
    this.span = tracer.start(this.operation, { ...options, attributes });
    return this;
  }

  endSpan(attributes: SpanAttributes, error: unknown): void {
    if (this.span === null) return;
    this.span.set(attributes);
    if (error !== null) this.span.fail(error);
    this.span.end();
  }
}

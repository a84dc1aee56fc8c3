import type { Span, SpanAttributes, Tracer } from './span.js';
import { currentWork, inWork, type Work } from './work.js';

let tracer: Tracer | null = null;

/** Sets the tracer of the process; null ends tracing. */
export function traceWith(given: Tracer | null): void {
  tracer = given;
}

/** Null without tracing: nothing is recorded then, and no caller's `traceparent` is taken over. */
export function currentTracer(): Tracer | null {
  return tracer;
}

/** The `traceparent` of the running work; null without tracing. */
export function currentTraceparent(): string | null {
  return tracer === null ? null : (currentWork()?.span?.traceparent ?? null);
}

/**
 * Runs a function as a span of the trace of the running request, job or delivery, such as a call to another system. Outside of one, and
 * without OTEL_EXPORTER_OTLP_ENDPOINT, it only runs the function. Attributes must contain no secret.
 *
 * @example
 * ```ts
 * import { inSpan } from 'work-suite/kit';
 *
 * export const position = (vehicle: string) => inSpan('tracker', async () => ({ vehicle, at: 'Lyon' }), { 'fleet.vehicle': vehicle });
 * ```
 */
export function inSpan<R>(name: string, run: () => Promise<R>, attributes?: SpanAttributes): Promise<R> {
  if (tracer === null) return run();
  const work = currentWork();
  if (!work?.span) return run();
  return within(work, tracer.start(name, { parent: work.span, attributes }), run);
}

async function within<R>(work: Work, span: Span, run: () => Promise<R>): Promise<R> {
  try {
    return await inWork(work.with(span), run);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

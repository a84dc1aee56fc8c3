import { traceWith } from '../../kit/internal.js';
import type { OtlpTracer, TracingSettings } from './otlp-tracer.js';

let running: OtlpTracer | null = null;

/** Records spans from now on if OTEL_EXPORTER_OTLP_ENDPOINT is set. The library is loaded only then. */
export async function startTracing(settings: TracingSettings): Promise<void> {
  running = null;
  if (settings.otelExporterOtlpEndpoint !== undefined) {
    const { OtlpTracer } = await import('./otlp-tracer.js');
    running = new OtlpTracer(settings);
  }
  traceWith(running);
}

/** Sends the spans that have ended. */
export async function flushSpans(): Promise<void> {
  await running?.flush();
}

import {
  diag,
  DiagLogLevel,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type SpanContext,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { Logger } from '@nestjs/common';
import type { SpanAttributes } from '../../kit/index.js';
import type { Span, SpanOptions, Tracer } from '../../kit/internal.js';
import type { AppConfig } from '../config/settings.js';
import { SUITE_VERSION } from '../config/suite-version.js';
import { LogInterval } from '../logging/log-interval.js';

export type TracingSettings = Pick<
  AppConfig,
  'otelExporterOtlpEndpoint' | 'otelExporterOtlpHeaders' | 'otelServiceName' | 'otelTracesSamplerArg' | 'appRole'
>;

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;
const WARN_EVERY_MS = 60_000;

/** Records spans and sends them by OTLP over HTTP, as JSON. */
export class OtlpTracer implements Tracer {
  private readonly provider: TracerProvider;
  private readonly tracer: OtelTracer;

  constructor({ otelExporterOtlpEndpoint, otelExporterOtlpHeaders, otelServiceName, otelTracesSamplerArg, appRole }: TracingSettings) {
    warnOfFailures();
    const exporter = new OTLPTraceExporter({
      url: `${otelExporterOtlpEndpoint?.replace(/\/$/, '')}/v1/traces`,
      headers: headersIn(otelExporterOtlpHeaders?.reveal() ?? ''),
    });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': otelServiceName,
        'service.version': SUITE_VERSION,
        'service.instance.id': `${process.pid}`,
        'work_suite.role': appRole,
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(otelTracesSamplerArg) }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.tracer = this.provider.getTracer('work-suite', SUITE_VERSION);
  }

  start(name: string, { parent, kind = 'internal', attributes = {}, startedAt }: SpanOptions = {}): Span {
    const options = { kind: KINDS[kind], attributes, startTime: startedAt ?? performance.now() };
    return new RecordedSpan(this.tracer.startSpan(name, options, contextOf(parent)));
  }

  /** Sends what is recorded. */
  async flush(): Promise<void> {
    // the exporter has reported its failure
    await this.provider.forceFlush().catch(() => undefined);
  }
}

class RecordedSpan implements Span {
  constructor(readonly span: OtelSpan) {}

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined) this.span.setAttribute(name, value);
  }

  fail(error: unknown): void {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    this.span.setStatus({ code: SpanStatusCode.ERROR, message }).setAttribute('error.type', name);
  }

  end(): void {
    this.span.end(performance.now());
  }
}

function contextOf(parent: SpanOptions['parent']): Context {
  if (parent instanceof RecordedSpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
  const remote = typeof parent === 'string' ? remoteContextOf(parent) : null;
  return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}

/** Null if it is not valid (https://www.w3.org/TR/trace-context/). */
function remoteContextOf(traceparent: string): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || traceparent.startsWith('ff')) return null;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(context) ? context : null;
}

/** As the specification of OTEL_EXPORTER_OTLP_HEADERS has them: `name=value,name=value`, with values encoded as in URLs. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim())]),
  );
}

/** The exporter reports failures to OpenTelemetry's own log. */
function warnOfFailures(): void {
  const log = new Logger('Tracing');
  const warnings = new LogInterval(WARN_EVERY_MS);
  const warn = (message: string) => {
    if (warnings.allows()) log.warn(`Spans could not be sent: ${reasonIn(message)}`);
  };
  const none = () => undefined;
  diag.setLogger(
    { error: warn, warn, info: none, debug: none, verbose: none },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** OpenTelemetry describes an error as JSON, with its stack. */
function reasonIn(text: string): string {
  try {
    const { message, code } = JSON.parse(text) as { message?: string; code?: string };
    return message || code || text;
  } catch {
    return text;
  }
}

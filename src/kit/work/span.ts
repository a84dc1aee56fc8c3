export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A part of a trace that has begun. */
export interface Span {
  readonly traceId: string;
  /** For the header `traceparent` of what it calls, and for rows of what follows later. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  fail(error: unknown): void;
  end(): void;
}

export interface SpanOptions {
  /** A span of this process, or the `traceparent` of another one; without a parent, the span begins a trace. */
  parent?: Span | string | null | undefined;
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  attributes?: SpanAttributes;
  /** Milliseconds of `performance.now()`; now by default. */
  startedAt?: number;
}

export interface Tracer {
  start(name: string, options?: SpanOptions): Span;
}

import type { FastifyInstance } from 'fastify';
import type { SpanAttributes } from '../../../kit/index.js';
import { currentTracer, type Work } from '../../../kit/internal.js';
import type { Request } from '../../request/request-state.js';
import { RequestWork } from '../../request/request-work.js';
import { afterResponse } from './after-response.js';

/**
 * Begins the span of a request, with tracing, and that of the tool call which makes it. `outer` is the work during which the request is
 * made in process, such as that of a page.
 */
export function beginSpan({ state, work, headers, method }: Request, outer: Work | undefined): void {
  const tracer = currentTracer();
  if (tracer === null || !(work instanceof RequestWork)) return;
  const { startedAt, tool } = state;
  const received = (state.outer?.headers ?? headers).traceparent;
  const parent = outer?.span ?? (typeof received === 'string' ? received : null);
  if (tool !== null) {
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool };
    work.toolSpan = tracer.start(`tools/call ${tool}`, { parent, kind: 'server', attributes, startedAt });
  }
  const kind = outer || tool !== null ? 'internal' : 'server';
  work.span = tracer.start(method, { parent: work.toolSpan ?? parent, kind, startedAt });
}

/** Ends the spans of requests. Install it after every hook that changes the response. */
export function endSpans(fastify: FastifyInstance): void {
  if (currentTracer() === null) return;
  afterResponse(fastify, (request, reply) => {
    const { work } = request;
    if (!(work instanceof RequestWork) || !work.span) return;
    const status = request.state.rejection?.status ?? reply.statusCode;
    for (const span of [work.span, work.toolSpan]) if (span && status >= 500) span.fail(new Error(`status ${status}`));
    work.span.rename(work.operation);
    work.span.set({ ...attributesOf(work), 'http.request.method': request.method, 'http.response.status_code': status });
    work.span.end();
    work.toolSpan?.end();
  });
}

function attributesOf(work: RequestWork): SpanAttributes {
  const { route, ...fields } = work.fields();
  return {
    'http.route': route ?? undefined,
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`work_suite.${name}`, value])),
  };
}

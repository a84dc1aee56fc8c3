import type { FastifyInstance } from 'fastify';
import type { MetricsEndpoint } from '../../metrics/metrics-endpoint.js';
import type { Metrics } from '../../metrics/metrics.js';
import { routesByUrl, type RouteRegistry } from '../../registry/route-registry.js';
import { viaOf } from '../../request/request-work.js';
import { afterResponse } from './after-response.js';

/** Measures every request, if the process has metrics. Install it after every hook that changes the response. */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics, registry: RouteRegistry): void {
  if (!metrics.enabled) return;
  const declared = routesByUrl(registry);
  afterResponse(fastify, (request, reply) => {
    const { state, method } = request;
    // a raw route may have the path that was sent, which must not become a label
    const route = state.route?.controller ? state.route : declared.get(`${method} ${request.routeOptions.url ?? ''}`);
    metrics.requestEnded({
      method,
      route: route?.path ?? request.routeOptions.url ?? '',
      module: route?.module ?? 'platform',
      via: viaOf(request),
      status: reply.statusCode,
      seconds: state.latencyMs / 1_000,
      tool: state.tool,
      rateLimited: state.errorCode === 'rate_limited' || state.rejection?.code === 'rate_limited',
    });
  });
}

/** Responds to `/metrics` before routing, in a worker, too. */
export function serveMetrics(fastify: FastifyInstance, endpoint: MetricsEndpoint): void {
  if (!endpoint.onMainPort) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.raw.url?.split('?', 1)[0] !== '/metrics') return done();
    reply.hijack();
    void endpoint.respond(request.raw, reply.raw);
  });
}

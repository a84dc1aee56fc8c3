import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Outbox } from '../../src/platform/events/outbox.js';
import { RouteRegistry, type Route } from '../../src/platform/registry/route-registry.js';

const undeclared = new WeakMap<NestFastifyApplication, Set<string>>();

/**
 * Notes the events of requests with keys that `emits` of their `@Endpoint` does not list: the reference says what it lists. Modules in
 * which no route has `emits` are not compared.
 */
export function noteUndeclaredEvents(app: NestFastifyApplication): void {
  const found = new Set<string>();
  undeclared.set(app, found);
  const { routes } = app.get(RouteRegistry);
  const modules = new Set(routes.filter(({ endpoint }) => endpoint?.emits !== undefined).map(({ module }) => module));
  const running = new Map<string, { route: Route | null }>();
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  server.addHook('preHandler', ({ state }, _reply, done) => {
    running.set(state.requestId, state);
    done();
  });
  server.addHook('onResponse', ({ state: { requestId } }, _reply, done) => {
    running.delete(requestId);
    done();
  });
  const outbox = app.get(Outbox);
  const write = outbox.write.bind(outbox);
  outbox.write = (client, changes) => {
    for (const { type, request_id, internal } of changes.flat()) {
      const route = internal || request_id === null ? null : running.get(request_id)?.route;
      if (route?.plane !== 'keyed' || !route.endpoint || !modules.has(route.module)) continue;
      const { operation, emits = [] } = route.endpoint;
      if (!emits.some(({ name }) => name === type)) found.add(`${operation}: ${type}`);
    }
    return write(client, changes);
  };
}

/** Throws if there have been any since the last call. */
export function requireDeclaredEvents(app: NestFastifyApplication): void {
  const found = [...undeclared.get(app)!].sort();
  undeclared.get(app)!.clear();
  if (found.length > 0) throw new Error(`These operations emitted an event that emits of @Endpoint does not list: ${found.join(', ')}.`);
}

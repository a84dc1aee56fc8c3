import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { declaredErrors } from '../../src/platform/openapi/declared-errors.js';

const undeclared = new WeakMap<FastifyInstance, Set<string>>();

const serverOf = (app: NestFastifyApplication) => app.getHttpAdapter().getInstance() as unknown as FastifyInstance;

/** Notes the errors that the OpenAPI documents do not list for the route that answers with them: generated clients switch on them. */
export function noteUndeclaredErrors(app: NestFastifyApplication): void {
  const server = serverOf(app);
  const found = new Set<string>();
  undeclared.set(server, found);
  server.addHook('onSend', ({ state: { route, errorCode } }, _reply, payload, done) => {
    if (route?.endpoint && errorCode !== null && !declaredErrors(route).some(({ code }) => code === errorCode))
      found.add(`${route.method} ${route.path}: ${errorCode}`);
    done(null, payload);
  });
}

/** Throws if there have been any since the last call. */
export function requireDeclaredErrors(app: NestFastifyApplication): void {
  const found = undeclared.get(serverOf(app))!;
  const routes = [...found].sort();
  found.clear();
  if (routes.length > 0) throw new Error(`These routes do not declare an error that they answered with: ${routes.join(', ')}.`);
}

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { declaredErrors } from '../../src/platform/openapi/declared-errors.js';

/** Fails a request that a route answers with an error that the OpenAPI documents do not list for it: generated clients switch on them. */
export function requireDeclaredErrors(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  fastify.addHook('onSend', ({ state: { route, errorCode } }, _reply, payload, done) => {
    if (!route?.endpoint || errorCode === null || declaredErrors(route).some(({ code }) => code === errorCode)) return done(null, payload);
    const error = new Error(`${route.method} ${route.path} does not declare its error ${errorCode}.`);
    console.error(error);
    done(error);
  });
}

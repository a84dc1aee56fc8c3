import { UseInterceptors, type NestInterceptor, type Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import type { FastifyInstance } from 'fastify';
import type { RouteRegistry } from '../registry/route-registry.js';
import type { Request } from '../request/request-state.js';
import type { WriteInterceptor } from './write.interceptor.js';

declare module 'fastify' {
  interface FastifyInstance {
    writes: WriteInterceptor;
  }
}

/** The metadata of a handler is shared by all applications of the process, so the interceptor is found through the request. */
const WRITES: NestInterceptor = {
  intercept: (context, next) => context.switchToHttp().getRequest<Request>().server.writes.intercept(context, next),
};

/**
 * Intercepts the handlers of writes. A global interceptor would run for reads as well, and RxJS would cost them a quarter more time.
 * Called before Nest registers the routes.
 */
export function interceptWrites(fastify: FastifyInstance, routes: RouteRegistry, writes: WriteInterceptor): void {
  fastify.decorate('writes', writes);
  for (const [handler, { write }] of routes.handlers()) {
    const interceptors = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as NestInterceptor[];
    if (write && !interceptors.includes(WRITES)) UseInterceptors(WRITES)(handler as Type);
  }
}

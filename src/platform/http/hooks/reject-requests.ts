import type { FastifyInstance } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { isInner } from '../in-process/inner-call.js';
import { headProblem } from '../validation/head-problem.js';

/** While the server closes, new requests are answered with 503, and every response ends its connection. */
export function rejectWhileClosing(fastify: FastifyInstance): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    // a call that belongs to a request that is being handled is finished, as that request is
    if (!closing || isInner(request.raw)) return done();
    done(CommonErrors.unavailable({ message: 'This process is shutting down; send the request again.' }));
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    // a kept-alive connection would prevent the server from closing
    if (closing) reply.header('Connection', 'close');
    done(null, payload);
  });
}

/** Rejects a head that two servers could read in different ways. */
export function rejectAmbiguousHeads(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const problem = isInner(request.raw) ? undefined : headProblem(request.raw);
    done(problem === undefined ? undefined : CommonErrors.malformedRequest({ message: problem }));
  });
}

/** Lets Fastify read bodies as large as the largest limit of their route; the ValidationGuard enforces the others once the key is known. */
export function raiseBodyLimits(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { bodyLimit = 0, formLimit = 0 } = (route.config ?? {}) as { bodyLimit?: number; formLimit?: number };
    const limit = Math.max(bodyLimit, formLimit);
    if (limit > fastify.initialConfig.bodyLimit!) route.bodyLimit = limit;
  });
}

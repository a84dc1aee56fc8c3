import type { FastifyInstance } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { isInner } from '../in-process/inner-call.js';
import { headProblem } from '../validation/head-problem.js';

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

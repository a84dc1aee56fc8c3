import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { isKeyedPath, rawRoute } from '../../registry/route-registry.js';
import type { KeyCheck } from '../callers/key-check.js';

/**
 * Rejects a body whose Content-Length is too large before it is read, but after the key is checked, so that the request counts
 * against the key's limits and appears in its owner's log.
 */
export function rejectOversizedBodies(fastify: FastifyInstance, keyCheck: KeyCheck): void {
  const defaultLimit = fastify.initialConfig.bodyLimit as number;
  fastify.addHook('onRequest', (request, reply, done) => {
    const limit = request.routeOptions.bodyLimit ?? defaultLimit;
    if (!(Number(request.headers['content-length']) > limit) || !isKeyedPath(request.url)) return done();
    reject(keyCheck, request, reply).catch(done);
  });
}

async function reject(keyCheck: KeyCheck, request: FastifyRequest, reply: FastifyReply): Promise<never> {
  request.state.route = rawRoute(request.method, (request.routeOptions.url ?? request.url).replace(/:(\w+)/g, '{$1}'));
  await keyCheck.authenticate(request);
  await keyCheck.charge(request, reply);
  throw CommonErrors.payloadTooLarge();
}

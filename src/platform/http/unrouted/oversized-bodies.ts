import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { isKeyedPath, rawRoute } from '../../registry/route-registry.js';
import type { KeyCheck } from '../callers/key-check.js';

/**
 * A body that says it is too large is refused before it is read, but not before its key is known: so the refusal is counted
 * and stands in its owner's log like any other.
 */
export function refuseOversizedBodies(fastify: FastifyInstance, keyCheck: KeyCheck): void {
  const usual = fastify.initialConfig.bodyLimit as number;
  fastify.addHook('onRequest', (request, reply, done) => {
    const limit = request.routeOptions.bodyLimit ?? usual;
    if (!(Number(request.headers['content-length']) > limit) || !isKeyedPath(request.url)) return done();
    refuse(keyCheck, request, reply).catch(done);
  });
}

async function refuse(keyCheck: KeyCheck, request: FastifyRequest, reply: FastifyReply): Promise<never> {
  request.state.route = rawRoute(request.method, (request.routeOptions.url ?? request.url).replace(/:(\w+)/g, '{$1}'));
  // the rest of the body is not waited for
  void reply.header('Connection', 'close');
  await keyCheck.authenticate(request);
  await keyCheck.charge(request, reply);
  throw CommonErrors.payloadTooLarge();
}

import type { FastifyInstance } from 'fastify';
import { CommonErrors } from '../../kit/index.js';
import { rawRoute, type Route } from '../registry/route-registry.js';
import type { KeyedEntrance } from './keyed-entrance.js';

/** Below these prefixes everything wants a key, also what does not exist: so a mistyped path stands in its owner's log. */
const KEYED_PREFIXES = ['/api/v1/ext', '/api/v1/webhooks'];

export function installUnknownPaths(fastify: FastifyInstance, entrance: KeyedEntrance): void {
  for (const prefix of KEYED_PREFIXES) {
    const unknown: Route = rawRoute('ANY', `${prefix}/*`);
    fastify.all(`${prefix}/*`, async (request, reply) => {
      request.state.route = unknown;
      await entrance.authenticate(request);
      await entrance.charge(request, reply);
      throw CommonErrors.notFound({ message: 'There is no such route; /docs lists them all.' });
    });
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { rawRoute, type Route } from '../../registry/route-registry.js';
import { envelopeOf } from '../errors/error-envelope.js';
import type { KeyCheck } from '../callers/key-check.js';

/** Below these prefixes every path requires a key, also an unknown one, so that a mistyped path appears in its owner's log. */
const WEBHOOKS = '/api/v1/webhooks';
const KEYED_PREFIXES = ['/api/v1/ext', WEBHOOKS];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function installUnknownPaths(fastify: FastifyInstance, keyCheck: KeyCheck): void {
  for (const prefix of KEYED_PREFIXES) {
    const unknown: Route = rawRoute('ANY', `${prefix}/*`);
    fastify.all(`${prefix}/*`, async (request, reply) => {
      request.state.route = unknown;
      await keyCheck.authenticate(request);
      await keyCheck.charge(request, reply);
      const allowed = prefix === WEBHOOKS ? methodsOf(fastify, request.url) : [];
      if (allowed.length > 0)
        throw CommonErrors.methodNotAllowed({
          message: `${request.method} is not allowed here; use ${allowed.join(' or ')}.`,
          allowed,
          headers: { Allow: allowed.join(', ') },
        });
      throw CommonErrors.notFound({ message: 'There is no such route; /docs lists all routes.' });
    });
  }
}

/** The methods that a path without parameters accepts. */
function methodsOf(fastify: FastifyInstance, requestUrl: string): string[] {
  const url = requestUrl.split('?')[0];
  return METHODS.filter((method) => fastify.hasRoute({ method, url }));
}

/** Responds to a path that cannot be decoded (`%zz`). Fastify rejects it before any hook runs. */
export function respondToUndecodablePath(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void {
  const error = CommonErrors.notFound({ message: 'There is no such route: its path cannot be decoded.' });
  void reply
    .status(error.spec.status)
    .headers({ 'Request-Id': request.id, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(envelopeOf(error, request.id, baseUrl)));
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { preferredType } from '../../../kit/internal.js';
import { rawRoute, type Route } from '../../registry/route-registry.js';
import { envelopeOf } from '../errors/error-envelope.js';
import { PROGRAMS } from '../errors/error.filter.js';
import { errorPage } from '../errors/error-page.js';
import type { KeyCheck } from '../callers/key-check.js';
import type { PathMethods } from '../paths/path-methods.js';
import { discardUnreadBody } from './unread-bodies.js';

/** Below these prefixes every path requires a key, even an unknown one, so that a mistyped path appears in the log of the key's owner. */
const KEYED_PREFIXES = ['/api/v1/ext', '/api/v1/webhooks'];

export function installUnknownPaths(fastify: FastifyInstance, keyCheck: KeyCheck, methods: PathMethods): void {
  for (const prefix of KEYED_PREFIXES) {
    const unknown: Route = rawRoute('ANY', `${prefix}/*`);
    fastify.all(`${prefix}/*`, async (request, reply) => {
      // a client that looks for an authorization server would misinterpret a 401
      if (request.url.includes('/.well-known/')) throw CommonErrors.notFound({ message: 'There is no such document.' });
      request.state.route = unknown;
      await keyCheck.authenticate(request);
      await keyCheck.charge(request, reply);
      methods.requireUnknown(request.method, request.url);
      throw CommonErrors.notFound({ message: 'There is no such route; /docs lists all routes.' });
    });
  }
}

/** Responds to a path that cannot be decoded (`%zz`). Fastify rejects it before any hook runs. */
export function respondToUndecodablePath(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void {
  const error = CommonErrors.notFound({ message: 'There is no such route: its path cannot be decoded.' });
  const headers = { 'Request-Id': request.id, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', Vary: 'Accept' };
  void reply.status(error.spec.status).headers(headers).type('application/json; charset=utf-8');
  let body = JSON.stringify(envelopeOf(error, request.id, baseUrl));
  if (!PROGRAMS.test(request.url) && preferredType(request.headers.accept, ['application/json', 'text/html']) === 'text/html') {
    const { content, options } = errorPage(error, request.id);
    void reply.headers(options.headers ?? {});
    body = content as string;
  }
  discardUnreadBody(request.raw, () => void reply.send(body));
}

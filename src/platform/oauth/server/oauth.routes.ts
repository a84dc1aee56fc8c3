import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from '../../../kit/index.js';
import { asDomainError, headersOf } from '../../http/errors/error-envelope.js';
import { errorPage } from '../../http/errors/error-page.js';
import type { HttpResponse } from '../../request/server-request.js';
import { acceptableRegistration, UnacceptableMetadata } from '../clients/client-metadata.js';
import { objectIn } from '../clients/json.js';
import { OAUTH_PATHS } from '../discovery/metadata.js';
import { normalizedAuthorization, normalizedToken } from './normalized-requests.js';
import type { OAuthServer } from './oauth-server.js';

export interface OAuthRouteOptions {
  server: OAuthServer;
  baseUrl: () => string;
  /** Charges the client's address; throws if it has called too often. */
  charge(kind: 'tokens' | 'requests', request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** The same for registrations, which are stored. */
  chargeRegistration(request: FastifyRequest): Promise<void>;
}

const BODY_LIMIT = 32 * 1024;
const FORM = 'application/x-www-form-urlencoded';
/** What the library reads of a request, beside method, address and body. */
const READ_HEADERS = ['authorization', 'accept', 'origin', 'user-agent', 'access-control-request-method', 'access-control-request-headers'];
const NO_TRANSFORM = 'no-store, no-transform';

const OPTIONS = { bodyLimit: BODY_LIMIT, errorHandler: answerError };

/** The endpoints of the authorization server. Bodies are read here and reduced to what the library accepts. */
export function registerOAuthRoutes(fastify: FastifyInstance, { server, baseUrl, charge, chargeRegistration }: OAuthRouteOptions): void {
  const respond = async (request: FastifyRequest, reply: FastifyReply, url: string, contentType?: string, body?: string) => {
    const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
    for (const name of READ_HEADERS) if (request.headers[name] !== undefined) headers[name] = String(request.headers[name]);
    return send(reply, await server.respond(request.raw, request.state.address, { method: request.method, url, headers, body }));
  };

  fastify.get(OAUTH_PATHS.authorization, { errorHandler: showError }, async (request, reply) => {
    await charge('requests', request, reply);
    const query = normalizedAuthorization(new URLSearchParams(request.url.split('?')[1] ?? ''), baseUrl(), server.scopes);
    request.headers.accept = 'text/html';
    delete request.headers.authorization;
    return respond(request, reply, `${OAUTH_PATHS.authorization}?${query.toString()}`);
  });

  fastify.post(OAUTH_PATHS.token, OPTIONS, async (request, reply) => {
    await charge('tokens', request, reply);
    request.headers.accept = 'application/json';
    const form = normalizedToken(new URLSearchParams(formIn(request)), baseUrl(), server.scopes);
    return respond(request, reply, OAUTH_PATHS.token, FORM, form.toString());
  });

  fastify.post(OAUTH_PATHS.revocation, OPTIONS, async (request, reply) => {
    await charge('tokens', request, reply);
    request.headers.accept = 'application/json';
    return respond(request, reply, OAUTH_PATHS.revocation, FORM, formIn(request));
  });

  fastify.post(OAUTH_PATHS.registration, OPTIONS, async (request, reply) => {
    await charge('requests', request, reply);
    void reply.header('Access-Control-Allow-Origin', '*');
    const given = objectIn(textIn(request));
    if (given === undefined) return refuse(reply, 'invalid_client_metadata', 'The body must be a JSON object.');
    try {
      const metadata = acceptableRegistration(given);
      await chargeRegistration(request);
      delete request.headers.authorization;
      request.headers.accept = 'application/json';
      return await respond(request, reply, OAUTH_PATHS.registration, 'application/json', JSON.stringify(metadata));
    } catch (error) {
      if (!(error instanceof UnacceptableMetadata)) throw error;
      return refuse(reply, error.code, error.message);
    }
  });

  for (const url of [OAUTH_PATHS.token, OAUTH_PATHS.revocation, OAUTH_PATHS.registration])
    fastify.options(url, async (_request, reply) =>
      reply
        .code(204)
        .headers({
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Methods': 'POST',
          'Access-Control-Allow-Headers': 'authorization, content-type, mcp-protocol-version',
          'Access-Control-Max-Age': '3600',
        })
        .send(),
    );
}

function send(reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply {
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name !== 'content-length' && name !== 'transfer-encoding') void reply.header(name, value);
  // codes and tokens must not be compressed (BREACH)
  return reply.code(status).header('Cache-Control', NO_TRANSFORM).send(body);
}

/** What went wrong before the library was asked, as clients of OAuth read it (RFC 6749, 5.2). */
function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = failed(thrown, request, reply);
  const { status } = error.spec;
  const code = status === 429 || status === 503 ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request';
  void reply.header('Access-Control-Allow-Origin', '*');
  refuse(reply, code, error.message, status);
}

/** The same for a person in a browser. */
function showError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { content, options } = errorPage(failed(thrown, request, reply), request.state.requestId);
  void reply.headers(options.headers ?? {}).send(content);
}

function failed(thrown: unknown, request: FastifyRequest, reply: FastifyReply): DomainError {
  const error = asDomainError(thrown, request);
  request.state.errorCode = error.spec.code;
  void reply.code(error.spec.status).headers(headersOf(error));
  return error;
}

function refuse(reply: FastifyReply, error: string, error_description: string, status = 400): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .header('Cache-Control', NO_TRANSFORM)
    .send(JSON.stringify({ error, error_description }));
}

function textIn({ body }: FastifyRequest): string {
  return Buffer.isBuffer(body) ? body.toString('utf8') : '';
}

/** Some clients send JSON. */
function formIn(request: FastifyRequest): string {
  const text = textIn(request);
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) return text;
  const strings = Object.entries(objectIn(text) ?? {}).filter(([, value]) => typeof value === 'string') as [string, string][];
  return new URLSearchParams(strings).toString();
}

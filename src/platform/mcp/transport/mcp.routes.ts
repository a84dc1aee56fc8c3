import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { crossOriginHeaders, preflightHeaders } from './cors.js';
import type { McpDispatcher } from '../dispatch/dispatcher.js';
import type { McpRequest, McpResponse } from '../dispatch/exchange.js';
import { tooLarge } from '../../http/validation/too-large.js';
import { callInProcess } from '../../http/in-process/tool-call.js';
import { requireJson, requireNoEncoding } from '../../http/validation/read-body.js';
import { errorMessage, RpcError } from '../protocol/json-rpc.js';
import type { McpAuth } from '../local-tools/local-tool.js';
import { acceptError, transportError, type TransportPolicy } from './transport-guard.js';

/** The authenticated caller. Known before the body is read; nothing is counted yet. */
export interface McpCaller {
  auth: McpAuth;
  /**
   * Counts one message against the rate limits and logs the request to the endpoint, with the name of the tool. Not called
   * for a message that a route handles: the route counts and logs it. Throws when a limit is exceeded.
   */
  admit: McpRequest['admit'];
  logError: McpRequest['logError'];
  /** Counts a request that asks for what this server lacks, as clients do when they connect: no error, so that no log has it. */
  admitProbe(): Promise<void>;
}

export interface McpRouteOptions extends TransportPolicy {
  /** Called for each request: the dispatcher may be built by the first. */
  dispatcher: () => McpDispatcher;
  /** Throws errors for the platform's error handler: 401 with `WWW-Authenticate`, 403 for an address that is not allowed. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<McpCaller>;
  path?: string;
}

const BODY_LIMIT = 1024 * 1024;
/** A request that is rejected without its body being read. It is counted and logged as one. */
const NO_MESSAGE = { method: undefined, toolName: undefined };

/** Clients of older revisions ask for the standalone stream, and end a session that they do not have; 405 tells them that there is none. */
const PROBES: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/** `POST /api/v1/ext/mcp`, in a Fastify scope of its own so that its body is not parsed. */
export function registerMcpRoutes(fastify: FastifyInstance, options: McpRouteOptions): void {
  const { dispatcher, authenticate, path = '/api/v1/ext/mcp' } = options;
  void fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));

    const callers = new WeakMap<FastifyRequest, McpCaller>();
    const guard = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
      const rejected = transportError(request.headers, options);
      if (rejected !== undefined) return sendError(reply, rejected);
      // Before authentication, so that a page can read why it failed.
      void reply.headers(crossOriginHeaders(request.headers));
      const caller = await authenticate(request, reply);
      callers.set(request, caller);
      try {
        requireMessage(request);
        return undefined;
      } catch (error) {
        await (PROBES.has(request.method) ? caller.admitProbe() : caller.admit(NO_MESSAGE));
        if (error instanceof RpcError) return sendError(reply, error);
        throw error;
      }
    };

    scope.route({
      // the guard rejects all but POST, before a body is read
      method: ['POST', 'GET', 'DELETE', 'PUT', 'PATCH'],
      url: path,
      bodyLimit: BODY_LIMIT,
      onRequest: guard,
      handler: async (request, reply) => {
        const { auth, admit, logError } = callers.get(request) as McpCaller;
        const response = await dispatcher().handle({
          headers: request.headers,
          query: request.query as Record<string, unknown>,
          body: request.body ?? '',
          requestId: request.id,
          auth,
          admit,
          logError,
          call: (call) => callInProcess(scope.routing, request.raw, call),
        });
        return send(reply, response);
      },
    });
    scope.route({
      method: 'OPTIONS',
      url: path,
      handler: async (request, reply) => {
        const rejected = transportError(request.headers, options);
        if (rejected !== undefined) return sendError(reply, rejected);
        return reply.code(204).headers(preflightHeaders(request.headers)).send();
      },
    });
    done();
  });
}

/** Throws if no message can be read from the request, or no response sent that the client accepts. */
function requireMessage(request: FastifyRequest): void {
  const { method, headers } = request;
  if (method !== 'POST')
    throw CommonErrors.methodNotAllowed({
      message: `${method} is not allowed here; use POST.`,
      allowed: ['POST'],
      headers: { Allow: 'POST' },
    });
  if (Number(headers['content-length']) > BODY_LIMIT) throw tooLarge(request);
  requireNoEncoding(headers['content-encoding']);
  requireJson(headers['content-type']);
  const unacceptable = acceptError(headers);
  if (unacceptable !== undefined) throw unacceptable;
}

function send(reply: FastifyReply, { status, headers, body }: McpResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

function sendError(reply: FastifyReply, error: RpcError): FastifyReply {
  return reply.code(error.httpStatus).type('application/json; charset=utf-8').send(errorMessage(null, error));
}

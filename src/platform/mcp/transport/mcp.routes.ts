import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { crossOriginHeaders, preflightHeaders } from './cors.js';
import type { McpDispatcher } from '../dispatch/dispatcher.js';
import type { McpRequest, McpResponse } from '../dispatch/exchange.js';
import { callInProcess } from '../../http/inner-call.js';
import { errorMessage, RpcError } from '../protocol/json-rpc.js';
import type { McpAuth } from '../local-tools/local-tool.js';
import { RPC } from '../protocol/protocol.js';
import { acceptRefusal, transportRefusal, type TransportPolicy } from './transport-guard.js';

/** Who calls, found out before the body is read; nothing is counted yet. */
export interface McpCaller {
  auth: McpAuth;
  /**
   * Counts one message against the limits and puts the endpoint's own request into the log, with the tool's name. Not called
   * for a message that a route answers: the route counts and logs it. Throws when the limit is reached.
   */
  admit: McpRequest['admit'];
  refused: McpRequest['refused'];
}

export interface McpRouteOptions extends TransportPolicy {
  dispatcher: McpDispatcher;
  /** Throws what the platform's error handler renders: 401 with `WWW-Authenticate`, 403 for an address. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<McpCaller>;
  path?: string;
}

const BODY_LIMIT = 1024 * 1024;

/** `POST /api/v1/ext/mcp`, in a scope of its own so that its body stays raw bytes. */
export function registerMcpRoutes(fastify: FastifyInstance, options: McpRouteOptions): void {
  const { dispatcher, authenticate, path = '/api/v1/ext/mcp' } = options;
  void fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, parsed) => {
      parsed(null, body);
    });

    const callers = new WeakMap<FastifyRequest, McpCaller>();
    const guard = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
      const refused = transportRefusal(request.headers, options);
      if (refused !== undefined) return refuse(reply, refused);
      // Before the key is looked at, so that a page can read why it was refused.
      void reply.headers(crossOriginHeaders(request.headers));
      callers.set(request, await authenticate(request, reply));
      const unacceptable = request.method === 'POST' ? acceptRefusal(request.headers) : undefined;
      return unacceptable && refuse(reply, unacceptable);
    };

    scope.route({
      method: 'POST',
      url: path,
      bodyLimit: BODY_LIMIT,
      onRequest: guard,
      handler: async (request, reply) => {
        const { auth, admit, refused } = callers.get(request) as McpCaller;
        const response = await dispatcher.handle({
          headers: request.headers,
          query: request.query as Record<string, unknown>,
          body: request.body ?? '',
          requestId: request.id,
          auth,
          admit,
          refused,
          call: (call) => callInProcess(scope.routing, request.raw, call),
        });
        return send(reply, response);
      },
    });
    scope.route({
      method: 'OPTIONS',
      url: path,
      handler: async (request, reply) => {
        const refused = transportRefusal(request.headers, options);
        if (refused !== undefined) return refuse(reply, refused);
        return reply.code(204).headers(preflightHeaders(request.headers)).send();
      },
    });
    scope.route({
      // Sessions and the standalone stream of older revisions; a stateless server has neither.
      method: ['GET', 'DELETE'],
      url: path,
      onRequest: guard,
      handler: async (request, reply) => {
        await (callers.get(request) as McpCaller).admit({ method: undefined, toolName: undefined });
        reply.header('allow', 'POST');
        return refuse(reply, new RpcError(RPC.serverError, 'Method not allowed.', { httpStatus: 405 }));
      },
    });
    done();
  });
}

function send(reply: FastifyReply, { status, headers, body }: McpResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

function refuse(reply: FastifyReply, error: RpcError): FastifyReply {
  return reply.code(error.httpStatus).type('application/json; charset=utf-8').send(errorMessage(null, error));
}

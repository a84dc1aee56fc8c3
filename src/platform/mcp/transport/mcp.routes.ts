import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommonErrors, DomainError } from '../../../kit/index.js';
import { crossOriginHeaders, preflightHeaders } from './cors.js';
import type { McpDispatcher } from '../dispatch/dispatcher.js';
import { streamResponse, type McpRequest, type McpResponse } from '../dispatch/exchange.js';
import { tooLarge } from '../../http/validation/too-large.js';
import { callInProcess } from '../../http/in-process/tool-call.js';
import { requireJson, requireNoEncoding } from '../../http/validation/read-body.js';
import { standaloneFrames } from '../list-changes/stream-frames.js';
import { errorMessage, RpcError } from '../protocol/json-rpc.js';
import type { McpAuth } from '../local-tools/local-tool.js';
import { FIRST_MODERN_VERSION, LEGACY_VERSIONS } from '../protocol/protocol.js';
import { header } from '../protocol/request-headers.js';
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
  /** Logs the request to the endpoint, whose response stays open. */
  openStream: McpRequest['openStream'];
  /** Counts a GET or DELETE, which clients of older revisions send of their own accord. The log has only a GET that opens a stream. */
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
const STREAM_HINT =
  `GET opens the stream of revisions before ${FIRST_MODERN_VERSION}, with Accept: text/event-stream; ` +
  'since then, call subscriptions/listen.';
/** A request that is rejected without its body being read. It is counted and logged as one. */
const NO_MESSAGE = { method: undefined, toolName: undefined };

/** Clients of older revisions ask for the standalone stream when they connect, and end a session, which the server does not have. */
const PROBES: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/** `/api/v1/ext/mcp`, in a Fastify scope of its own so that its body is not parsed. */
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
        if (!asksForStream(request)) requireMessage(request);
        return undefined;
      } catch (error) {
        await (PROBES.has(request.method) ? caller.admitProbe() : caller.admit(NO_MESSAGE));
        if (error instanceof RpcError) return sendError(reply, error);
        throw error;
      }
    };

    scope.route({
      // the guard rejects others than POST and a GET for a stream, before a body is read
      method: ['POST', 'GET', 'DELETE', 'PUT', 'PATCH'],
      url: path,
      bodyLimit: BODY_LIMIT,
      onRequest: guard,
      handler: async (request, reply) => {
        const { auth, admit, admitProbe, openStream, logError } = callers.get(request) as McpCaller;
        if (request.method === 'GET') {
          await admitProbe();
          return send(reply, standaloneStream(request, openStream));
        }
        const response = await dispatcher().handle({
          headers: request.headers,
          query: request.query as Record<string, unknown>,
          body: request.body ?? '',
          requestId: request.id,
          auth,
          admit,
          openStream,
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
  if (method === 'GET') throw notAllowed(STREAM_HINT);
  if (method !== 'POST') throw notAllowed(`${method} is not allowed here; use POST.`);
  if (Number(headers['content-length']) > BODY_LIMIT) throw tooLarge(request);
  requireNoEncoding(headers['content-encoding']);
  requireJson(headers['content-type']);
  const unacceptable = acceptError(headers);
  if (unacceptable !== undefined) throw unacceptable;
}

function notAllowed(message: string): DomainError {
  return CommonErrors.methodNotAllowed({ message, allowed: ['GET', 'POST'], headers: { Allow: 'GET, POST' } });
}

/** Revisions from 2026-07-28 on listen by a request. */
function asksForStream({ method, headers }: FastifyRequest): boolean {
  const version = header(headers, 'mcp-protocol-version');
  const isLegacy = version === undefined || LEGACY_VERSIONS.includes(version);
  return method === 'GET' && isLegacy && /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(header(headers, 'accept') ?? '');
}

function standaloneStream({ headers }: FastifyRequest, openStream: McpCaller['openStream']): McpResponse {
  try {
    return streamResponse(openStream(standaloneFrames(headers)));
  } catch (error) {
    // clients go on without a stream after this status only
    if (error instanceof DomainError) throw notAllowed(error.message);
    throw error;
  }
}

function send(reply: FastifyReply, { status, headers, body }: McpResponse): FastifyReply {
  // a client that has gone already
  if (body instanceof Readable && reply.request.raw.socket.destroyed) body.destroy();
  return reply.code(status).headers(headers).send(body);
}

function sendError(reply: FastifyReply, error: RpcError): FastifyReply {
  return reply.code(error.httpStatus).type('application/json; charset=utf-8').send(errorMessage(null, error));
}

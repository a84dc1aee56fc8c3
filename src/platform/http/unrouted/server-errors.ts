import { STATUS_CODES, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CommonErrors, type DomainError } from '../../../kit/index.js';
import { newId } from '../../../kit/internal.js';
import { ServerRequest } from '../../request/server-request.js';
import { envelopeOf } from '../errors/error-envelope.js';
import { discardUnreadBody } from './unread-bodies.js';

/** Time for a whole request to arrive, body included, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** What Node's server enforces before there is a request. A missing Host header is rejected by a hook instead, with an envelope. */
export const SERVER_OPTIONS: ServerOptions<typeof ServerRequest> = {
  headersTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
  IncomingMessage: ServerRequest,
};

/** Ordered by time, so that the request log's index grows at its end. */
export function newRequestId(): string {
  return `req_${newId().replaceAll('-', '')}`;
}

/** Requests that Node's server rejects never become a request of Fastify: the response is written to the socket. */
export function clientErrorHandler(baseUrl: () => string): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error: NodeJS.ErrnoException & { reason?: string }, socket) => {
    // a response that has begun cannot be replaced, and nobody reads one from a reset connection
    const hasBegun = (socket as { _httpMessage?: ServerResponse })._httpMessage?.headersSent === true;
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) return void socket.destroy();
    end(socket, errorOf(error.code, error.reason), baseUrl());
  };
}

/** Node's server responds to an unknown Expect header with an empty 417 unless there is a listener. */
export function rejectExpectations(server: Server, baseUrl: () => string): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { head, body } = responseOf(CommonErrors.expectationFailed(), baseUrl());
    discardUnreadBody(request, () => response.writeHead(head.status, head.headers).end(body));
  });
}

/** Node's server closes the connection of a CONNECT request without a response unless there is a listener. */
export function rejectTunnels(server: Server, baseUrl: () => string): void {
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    end(socket, CommonErrors.methodNotAllowed({ message: 'This server does not support CONNECT.' }), baseUrl());
  });
}

/** For a server that has no application yet. */
export function respondWith(response: ServerResponse, error: DomainError, baseUrl: string): void {
  const { head, body } = responseOf(error, baseUrl);
  response.writeHead(head.status, head.headers).end(body);
}

function end(socket: Socket, error: DomainError, baseUrl: string): void {
  const { head, body } = responseOf(error, baseUrl);
  // a 405 must have it; no method is possible on an authority
  const headers = head.status === 405 ? { ...head.headers, Allow: '' } : head.headers;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${head.status} ${STATUS_CODES[head.status]}`, ...lines, '', body].join('\r\n'));
}

/** `reason` is one of the fixed texts of Node's parser. */
function errorOf(code: string | undefined, reason: string | undefined): DomainError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return CommonErrors.requestTimeout();
    case 'HPE_HEADER_OVERFLOW':
      return CommonErrors.headersTooLarge();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return CommonErrors.payloadTooLarge();
    default:
      return CommonErrors.malformedRequest(reason ? { message: `The request is not valid HTTP/1.1: ${reason}.` } : {});
  }
}

function responseOf(error: DomainError, baseUrl: string) {
  const requestId = newRequestId();
  const body = JSON.stringify(envelopeOf(error, requestId, baseUrl));
  return {
    head: {
      status: error.spec.status,
      headers: {
        'Request-Id': requestId,
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        Connection: 'close',
      },
    },
    body,
  };
}

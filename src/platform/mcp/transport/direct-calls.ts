import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Routing } from '../../http/in-process/inner-call.js';
import { compressed } from '../../http/compression/compression.js';
import type { CallResponse } from '../../request/server-request.js';
import { callInProcess } from '../../http/in-process/tool-call.js';
import { headProblem } from '../../http/validation/head-problem.js';
import type { McpDispatcher } from '../dispatch/dispatcher.js';
import type { McpAuth } from '../local-tools/local-tool.js';
import { acceptError, transportError, type TransportPolicy } from './transport-guard.js';

export interface DirectCallOptions extends TransportPolicy {
  /** Called for each request: the dispatcher may be built by the first. */
  dispatcher: () => McpDispatcher;
  path: string;
  /** Fastify's router, which the call of the tool's route goes through. */
  routing: Routing;
  /** The caller, if the key is already known and good; null leaves the request to Fastify. Must have no effect. */
  knownCaller(request: IncomingMessage): McpAuth | null;
}

/** Larger bodies and bodies of unknown length are read by Fastify, with its limits. */
const MAX_BODY_BYTES = 64 * 1024;
const TOOL_CALL = '"tools/call"';
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const log = new Logger('McpDirectCalls');

/**
 * Serves tool calls ahead of Fastify. A tool call runs through the whole pipeline as a request to its route, which
 * authenticates, counts and logs it; to run the request to the endpoint through Fastify as well would double the cost.
 * Whatever is not certain to be a tool call of a known key is left to Fastify and the routes of `mcp.routes.ts`.
 */
export function serveDirectCalls(server: Server, options: DirectCallOptions): void {
  const listeners = server.listeners('request') as RequestListener[];
  if (listeners.length !== 1) throw new Error(`The server has ${listeners.length} request listeners instead of Fastify's one.`);
  const [fastify] = listeners;
  server.removeListener('request', fastify);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const auth = attempt(() => (isCandidate(server, request, options) ? options.knownCaller(request) : null));
    if (auth === null) return void fastify(request as never, response as never);
    readBody(request, (body) => {
      const text = body.toString();
      const call = isUtf8(body) && text.includes(TOOL_CALL) ? attempt(() => planCall(request, text, auth, options)) : null;
      if (call !== null) return void answer(request, response, call);
      request.unshift(body);
      fastify(request as never, response as never);
    });
  });
}

/**
 * Calls back with the whole body, before the stream has ended: then it can be put back with `unshift`. There is no callback if the client
 * aborts the request.
 */
function readBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const length = Number(request.headers['content-length']);
  const chunks: Buffer[] = [];
  let received = 0;
  const read = (): void => {
    for (let chunk: Buffer | null; (chunk = request.read() as Buffer | null) !== null;) {
      chunks.push(chunk);
      received += chunk.length;
    }
    if (received < length) return;
    request.off('readable', read);
    onBody(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  };
  request.on('readable', read);
}

async function answer(request: IncomingMessage, response: ServerResponse, call: () => Promise<CallResponse>): Promise<void> {
  try {
    const { status, headers, body } = await compressed(await call(), request.headers['accept-encoding']);
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  } catch (error) {
    log.error(error);
    response.destroy();
  }
}

/** Nothing here may end the process: what fails before the call is left to Fastify, whose error handler responds. */
function attempt<R>(part: () => R): R | null {
  try {
    return part();
  } catch (error) {
    log.error(error);
    return null;
  }
}

function isCandidate(server: Server, request: IncomingMessage, options: DirectCallOptions): boolean {
  const { headers } = request;
  return (
    // a server that closes responds with 503
    server.listening &&
    request.url === options.path &&
    request.method === 'POST' &&
    Number(headers['content-length']) > 0 &&
    Number(headers['content-length']) <= MAX_BODY_BYTES &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    // pages need CORS headers
    headers.origin === undefined &&
    JSON_TYPE.test(headers['content-type'] ?? '') &&
    headProblem(request) === undefined &&
    transportError(headers, options) === undefined &&
    acceptError(headers) === undefined
  );
}

function planCall(request: IncomingMessage, body: string, auth: McpAuth, { dispatcher, routing }: DirectCallOptions) {
  return dispatcher().planCall({
    headers: request.headers,
    query: {},
    body,
    requestId: '',
    auth,
    admit: notDirect,
    openStream: notDirect,
    logError: notDirect,
    call: (call) => callInProcess(routing, request, call),
  });
}

function notDirect(): never {
  throw new Error('A direct tool call is counted and logged by its route.');
}

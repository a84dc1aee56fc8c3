import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mcpCallOf, type McpCall, type ResponseHeaders } from '../request/server-request.js';
import { FORWARDED_HEADERS } from './tool-call.js';

/** The hook of tool calls in place (see `tool-call.ts`). Install it after every hook that sets headers, and before compression. */
export function answerInPlace(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const call = mcpCallOf(request.raw);
    if (call?.respond === undefined) return done(null, payload);
    const body = payload ?? '';
    if (typeof body === 'string' || Buffer.isBuffer(body)) return done(null, replace(reply, call, request, body));
    if (!(body instanceof Readable)) throw new Error('The response of a tool is neither text, bytes nor a stream.');
    buffer(body)
      .then((content) => replace(reply, call, request, content))
      .then((content) => done(null, content), done);
  });
}

/** Gives the reply the endpoint's status and headers instead of the route's, and returns the endpoint's body. */
function replace(reply: FastifyReply, call: McpCall, request: FastifyRequest, routeBody: string | Buffer): string | Buffer {
  const respond = call.respond!;
  // the response to a failure of this hook is not that of a route
  call.respond = undefined;
  const given = reply.getHeaders() as ResponseHeaders;
  const { status, headers, body } = respond({ status: reply.statusCode, headers: given, body: routeBody, result: call.result });
  request.state.routeStatus = reply.statusCode;
  for (const name in given) if (headers[name] === undefined && !FORWARDED_HEADERS.has(name)) reply.removeHeader(name);
  for (const name in headers) if (headers[name] !== given[name]) reply.header(name, headers[name]);
  void reply.code(status);
  return body;
}

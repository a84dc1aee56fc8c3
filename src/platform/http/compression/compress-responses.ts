import type { FastifyInstance } from 'fastify';
import { compress, negotiated } from './compression.js';

/** Compresses responses that Fastify sends; install it after every hook that sets headers. */
export function compressResponses(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    if (isFixed(reply)) return done(null, payload);
    const given = { contentType: reply.getHeader('Content-Type'), cacheControl: reply.getHeader('Cache-Control'), body: payload };
    const sent = negotiated(given, reply.getHeader('Vary'), request.headers['accept-encoding']);
    if (sent === null) return done(null, payload);
    const { vary, encoding } = sent;
    reply.header('Vary', vary);
    if (encoding === null) return done(null, payload);
    const encoded = (body: Buffer): void => {
      reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
      done(null, body);
    };
    const result = compress(payload, encoding);
    if (Buffer.isBuffer(result)) encoded(result);
    else result.then(encoded, done);
  });
}

/** Already encoded, or a range of bytes. */
function isFixed(reply: { statusCode: number; hasHeader(name: string): boolean }): boolean {
  return reply.statusCode === 206 || reply.hasHeader('Content-Encoding');
}

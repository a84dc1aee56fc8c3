import type { FastifyInstance } from 'fastify';
import { acceptedEncoding, compress, isCompressible, varyByEncoding } from './compression.js';

/** Compresses responses that Fastify sends; install it after every hook that sets headers. */
export function compressResponses(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    const headers = { contentType: reply.getHeader('Content-Type'), cacheControl: reply.getHeader('Cache-Control') };
    if (isFixed(reply) || !isCompressible({ ...headers, body: payload })) return done(null, payload);
    reply.header('Vary', varyByEncoding(reply.getHeader('Vary')));
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
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

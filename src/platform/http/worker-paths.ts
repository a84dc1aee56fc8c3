import type { FastifyInstance } from 'fastify';

/** A worker serves no API: whoever asks it for anything but its health has the wrong process. */
export function answerOnlyHealth(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.url === '/health') return done();
    reply.hijack();
    reply.raw
      .writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' })
      .end('This process is a worker; the API is served by others.\n');
  });
}

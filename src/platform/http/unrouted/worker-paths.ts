import type { FastifyInstance } from 'fastify';

const HEALTH_PATHS = new Set(['/health', '/health/live', '/health/ready']);

/** A worker serves no API: any other path means that the client reached the wrong process. */
export function serveOnlyHealth(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (HEALTH_PATHS.has(request.url)) return done();
    reply.hijack();
    reply.raw.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('This process is a worker and does not serve the API.\n');
  });
}

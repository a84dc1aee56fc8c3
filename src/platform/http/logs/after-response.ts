import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Request } from '../../request/request-state.js';

/**
 * Calls the listener once for each request: when its response has been sent, or is ready but its client has gone. Install it after every
 * hook that changes the response.
 */
export function afterResponse(fastify: FastifyInstance, listener: (request: Request, reply: FastifyReply) => void): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    listener(request, reply);
    done();
  });
  // Node does not finish a response whose connection is closed, so onResponse does not run
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (reply.raw.destroyed) listener(request, reply);
    done(null, payload);
  });
}

import type { FastifyInstance } from 'fastify';
import type { KeptBodies } from '../../request-log/kept-bodies.js';
import type { RequestLog } from '../../request-log/request-log.js';
import { afterResponse } from './after-response.js';
import { isKept, keepBodies } from './keep-bodies.js';
import { logEntryOf } from './log-entry.js';

/** Holds the text of responses whose bodies are kept. Install it before the hook that compresses. */
export function holdResponses(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (request.state.keptBodies !== 'none' && isKept(request, reply)) request.state.sentText = typeof payload === 'string' ? payload : '';
    done(null, payload);
  });
}

/** Writes the request log and the kept bodies. Install it after every hook that changes the response. */
export function logRequests(fastify: FastifyInstance, requestLog: RequestLog, keptBodies: KeptBodies): void {
  afterResponse(fastify, (request, reply) => {
    const entry = logEntryOf(request, reply);
    if (entry) requestLog.record(entry);
    if (request.state.sentText !== null) keepBodies(request, reply, keptBodies);
  });
  // after the last response, while the database is still connected
  fastify.addHook('onClose', async () => {
    await requestLog.flush();
    await keptBodies.flush();
  });
}

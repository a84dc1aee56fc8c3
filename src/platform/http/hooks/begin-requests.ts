import type { FastifyInstance } from 'fastify';
import { currentWork, inWork } from '../../../kit/internal.js';
import { clientAddress, type AddressMatcher } from '../../net/address.js';
import { RequestState } from '../../request/request-state.js';
import { RequestWork } from '../../request/request-work.js';
import { mcpCallOf } from '../../request/server-request.js';
import { beginSpan } from '../logs/trace-requests.js';
import { isPartOfPage } from '../in-process/inner-call.js';

/**
 * Gives each request its state: id, client address, and the tool call or page that it is part of. What runs for it, and the log lines
 * meanwhile, are part of its work.
 */
export function beginRequests(fastify: FastifyInstance, trustedProxies: AddressMatcher): void {
  fastify.decorateRequest('state', null as never);
  fastify.decorateRequest('work', null as never);
  fastify.decorateRequest('ctx', undefined);
  fastify.decorateRequest('caller', undefined);
  fastify.decorateRequest('upload', undefined);
  fastify.decorateRequest('files', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const address = clientAddress(socket.remoteAddress ?? '', request.headers['x-forwarded-for'], trustedProxies);
    request.state = new RequestState(request.id, address, request.headers['user-agent'] ?? null);
    const mcpCall = mcpCallOf(request.raw);
    if (mcpCall !== undefined) {
      request.state.tool = mcpCall.toolName;
      request.state.outer = mcpCall.outer;
    }
    request.state.partOfPage = isPartOfPage(request.raw);
    reply.header('Request-Id', request.id);
    request.work = new RequestWork(request);
    beginSpan(request, currentWork());
    inWork(request.work, done);
  });
  // the events of a socket, which a body comes from, are part of nothing
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (currentWork() === request.work) done();
    else inWork(request.work, done);
  });
}

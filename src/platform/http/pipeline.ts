import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { CommonErrors, FileResponse } from '../../kit/index.js';
import { clientAddress, type AddressMatcher } from '../net/address.js';
import { isInner, isPartOfPage } from './inner-call.js';
import { mcpCallOf } from '../request/server-request.js';
import { LimitsGuard } from '../rate-limit/limits.guard.js';
import type { KeptBodies } from '../request-log/kept-bodies.js';
import type { RequestLog } from '../request-log/request-log.js';
import { AccessGuard, CallerGuard } from './callers/caller.guard.js';
import { compressResponses } from './compression/compress-responses.js';
import { ErrorFilter } from './errors/error.filter.js';
import { prepareFile } from './files/prepare-file.js';
import { afterResponse } from './logs/after-response.js';
import { isKept, keepBodies } from './logs/keep-bodies.js';
import { logEntryOf } from './logs/log-entry.js';
import { RequestState } from '../request/request-state.js';
import { ScenarioGuard } from './scenario.guard.js';
import { discardUnreadBodies } from './unrouted/unread-bodies.js';
import { headProblem } from './validation/head-problem.js';
import { ValidationGuard } from './validation/validation.guard.js';
import { etagOf, WriteInterceptor } from './write.interceptor.js';

/**
 * What runs around every route's handler, in order.
 * - `callers/` who the caller is, by key or session, and what it may do
 * - `validation/` bodies, queries and headers
 * - `compression/` br and gzip
 * - `files/` responses that are not JSON
 * - `errors/` the error envelope and page
 * - `logs/` the entries of the request log and of the routes' own logs
 * - `paths/` the methods that each path accepts
 * - `unrouted/` what no route handles: unknown paths, unreadable and unread bodies, the server of a worker
 */
export const PIPELINE: Provider[] = [
  { provide: APP_GUARD, useClass: CallerGuard }, // authentication by key or session, and the address
  { provide: APP_GUARD, useClass: LimitsGuard }, // rate limits
  { provide: APP_GUARD, useClass: AccessGuard }, // scope, permission, actor
  { provide: APP_GUARD, useClass: ValidationGuard }, // body, query, headers, project pin
  { provide: APP_GUARD, useClass: ScenarioGuard }, // failures that a test key requests
  WriteInterceptor, // one transaction, executed once per Idempotency-Key; attached to the handlers of writes before Nest registers them
  { provide: APP_FILTER, useClass: ErrorFilter }, // the error envelope
];

/**
 * What runs outside Nest for every request of the server, including rejected ones: first request id and address, then the headers
 * of every response, then the request log.
 */
export function installHooks(
  fastify: FastifyInstance,
  trustedProxies: AddressMatcher,
  requestLog: RequestLog,
  keptBodies: KeptBodies,
): void {
  fastify.decorateRequest('state', null as never);
  fastify.decorateRequest('ctx', undefined);
  fastify.decorateRequest('caller', undefined);
  fastify.decorateRequest('upload', undefined);
  fastify.decorateRequest('files', undefined);

  fastify.addHook('onRoute', (route) => {
    // the ValidationGuard enforces smaller limits: the key must be checked before the body
    const { bodyLimit = 0, formLimit = 0 } = (route.config ?? {}) as { bodyLimit?: number; formLimit?: number };
    const limit = Math.max(bodyLimit, formLimit);
    if (limit > fastify.initialConfig.bodyLimit!) route.bodyLimit = limit;
  });

  let closing = false;
  fastify.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    request.state = new RequestState(
      request.id,
      clientAddress(socket.remoteAddress ?? '', request.headers['x-forwarded-for'], trustedProxies),
    );
    const mcpCall = mcpCallOf(request.raw);
    const inner = isInner(request.raw);
    if (mcpCall !== undefined) {
      request.state.tool = mcpCall.toolName;
      request.state.outer = mcpCall.outer;
    }
    request.state.partOfPage = isPartOfPage(request.raw);
    reply.header('Request-Id', request.id);
    // a call that belongs to a request that is being handled is finished, as that request is
    if (closing && !inner) return done(CommonErrors.unavailable({ message: 'This process is shutting down; send the request again.' }));
    const problem = inner ? undefined : headProblem(request.raw);
    if (problem !== undefined) return done(CommonErrors.malformedRequest({ message: problem }));
    done();
  });

  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    const call = mcpCallOf(request.raw);
    if (payload instanceof FileResponse) prepareFile(payload, reply, request.state.route?.endpoint);
    else if (call !== undefined) call.result = payload;
    else {
      const etag = etagOf(payload);
      if (etag) reply.header('ETag', etag);
    }
    done(null, payload);
  });

  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });

  discardUnreadBodies(fastify);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { mode, route } = request.state;
    if (request.state.keptBodies !== 'none' && isKept(request, reply)) request.state.sentText = typeof payload === 'string' ? payload : '';
    // a kept-alive connection would prevent the server from closing
    if (closing) reply.header('Connection', 'close');
    if (mode) reply.header('Svc-Mode', mode);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (route?.endpoint?.secrets ?? route?.open?.secrets) reply.header('Cache-Control', SECRET_CONTENT);
    else if (!reply.hasHeader('Cache-Control') && isJson(reply.getHeader('Content-Type'))) reply.header('Cache-Control', 'no-store');
    const deprecated = route?.endpoint?.deprecated;
    if (deprecated) {
      // RFC 9745, RFC 8594
      reply.header('Deprecation', `@${Math.floor(deprecated.since.getTime() / 1000)}`).header('Sunset', deprecated.sunset.toUTCString());
      reply.header(
        'Link',
        [
          `<${deprecated.info}>; rel="deprecation"`,
          ...(deprecated.successor ? [`<${deprecated.successor}>; rel="successor-version"`] : []),
        ].join(', '),
      );
    }
    done(null, payload);
  });

  compressResponses(fastify);

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

/** A secret is neither stored nor compressed: the length of compressed content tells about it (BREACH). */
const SECRET_CONTENT = 'no-store, no-transform';

/** Responses hold the data of one caller, also where a cache would ignore the Authorization header. */
function isJson(contentType: unknown): boolean {
  return typeof contentType === 'string' && contentType.startsWith('application/json');
}

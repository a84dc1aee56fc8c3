import type { FastifyInstance, FastifyReply } from 'fastify';
import { FileResponse, type CustomFieldCatalog } from '../../../kit/index.js';
import type { EndpointOptions } from '../../../kit/internal.js';
import type { Draining } from '../../health/draining.js';
import { mcpCallOf } from '../../request/server-request.js';
import { CsvAnswers, isList } from '../csv/csv-answers.js';
import { prepareFile } from '../files/prepare-file.js';

/** Of the response to a deletion that can be undone. */
export const RESTORABLE_UNTIL = 'Svc-Restorable-Until';

/** Lists whose caller prefers CSV. Install it before what receives files. */
export function sendCsv(fastify: FastifyInstance, customFields: CustomFieldCatalog): void {
  const answers = new CsvAnswers(fastify, customFields);
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    if (request.state.csv === null || !isList(payload)) return done(null, payload);
    answers.fileOf(request, reply, payload).then((file) => {
      prepareFile(file, reply, null);
      done(null, file);
    }, done);
  });
}

/** What a handler returned: a file, or a resource with its ETag, which no tool call needs. */
export function receiveResults(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    if (payload instanceof FileResponse) {
      if (request.state.csv === null) prepareFile(payload, reply, request.state.route?.endpoint);
    } else if (mcpCallOf(request.raw) === undefined) {
      const etag = etagOf(payload);
      if (etag) reply.header('ETag', etag);
    }
    done(null, payload);
  });
}

export function etagOf(payload: unknown): string | null {
  const version = (payload as { version?: unknown } | null | undefined)?.version;
  return typeof version === 'number' ? `"${version}"` : null;
}

/** The responses of a process that is about to stop end their connections: their clients then open new ones, to another process. */
export function endConnections(fastify: FastifyInstance, draining: Draining): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.isDraining) reply.header('Connection', 'close');
    done(null, payload);
  });
}

/** The headers of every response, including rejections. */
export function addHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { mode, route } = request.state;
    if (mode) reply.header('Svc-Mode', mode);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (route?.endpoint?.secrets ?? route?.open?.secrets) reply.header('Cache-Control', SECRET_CONTENT);
    else if (!reply.hasHeader('Cache-Control') && isJson(reply.getHeader('Content-Type'))) reply.header('Cache-Control', 'no-store');
    if (route?.endpoint?.deprecated) addDeprecation(reply, route.endpoint.deprecated);
    done(null, payload);
  });
}

/** A secret is neither stored nor compressed: the length of compressed content reveals it (BREACH). */
const SECRET_CONTENT = 'no-store, no-transform';

/** RFC 9745, RFC 8594 */
function addDeprecation(reply: FastifyReply, { since, sunset, info, successor }: NonNullable<EndpointOptions['deprecated']>): void {
  const links = [`<${info}>; rel="deprecation"`, ...(successor ? [`<${successor}>; rel="successor-version"`] : [])];
  void reply
    .header('Deprecation', `@${Math.floor(since.getTime() / 1000)}`)
    .header('Sunset', sunset.toUTCString())
    .header('Link', links.join(', '));
}

/** Responses hold the data of one caller, also where a cache would ignore the Authorization header. */
function isJson(contentType: unknown): boolean {
  return typeof contentType === 'string' && contentType.startsWith('application/json');
}

import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { CommonErrors, DomainError } from '../../src/kit/index.js';
import { discardUnreadBodies } from '../../src/platform/http/unrouted/unread-bodies.js';
import { McpDispatcher } from '../../src/platform/mcp/dispatch/dispatcher.js';
import { mcpCallOf } from '../../src/platform/request/server-request.js';
import type { McpExtension } from '../../src/platform/mcp/local-tools/local-tool.js';
import { registerMcpRoutes } from '../../src/platform/mcp/transport/mcp.routes.js';
import { buildCatalog } from '../../src/platform/mcp/catalog/tool-catalog.js';
import { LOOPBACK_HOSTS } from '../../src/platform/mcp/transport/transport-guard.js';
import { FIXTURE_SCOPES, fixtureDocument, fixtureGuides } from './fixture-openapi.js';

export const FIXTURE_KEY = 'svc_test_fixture';

interface Note {
  object: 'note';
  id: string;
  text: string | null;
  version: number;
}

export interface FixtureLogEntry {
  method: string;
  path: string;
  tool: string | undefined;
  address: string;
}

export interface FixtureApp {
  app: FastifyInstance;
  /** The logged requests: route calls, and messages that no route handled. */
  log: FixtureLogEntry[];
}

/** A minimal replacement for the platform: one key, a few routes, the error envelope, and the MCP endpoint. */
export function createFixtureApp(extension?: McpExtension, scopes: readonly string[] = FIXTURE_SCOPES): FixtureApp {
  const app = fastify();
  discardUnreadBodies(app);
  const log: FixtureLogEntry[] = [];
  const held = new Set(scopes);
  const authorize = (request: FastifyRequest): void => {
    if (request.headers.authorization !== `Bearer ${FIXTURE_KEY}`) throw new FixtureError(401, 'invalid_api_key', 'Unknown key');
  };
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof DomainError) void reply.headers(error.occurrence.headers ?? {});
    const { status, code } =
      error instanceof DomainError
        ? error.spec
        : error instanceof FixtureError
          ? error
          : { status: (error as { statusCode?: number }).statusCode ?? 500, code: 'internal_error' };
    if (status === 401) void reply.header('www-authenticate', 'Bearer');
    const { message } = error as Error;
    return reply.code(status).send({ error: { type: 'invalid_request_error', code, message, request_id: request.id } });
  });
  const dispatcher = new McpDispatcher({
    catalog: buildCatalog(fixtureDocument),
    serverInfo: { name: 'fixture', version: '1.0.0' },
    guides: fixtureGuides,
    ...(extension === undefined ? {} : { extension }),
  });
  registerMcpRoutes(app, {
    dispatcher: () => dispatcher,
    allowedOrigins: [],
    allowedHosts: LOOPBACK_HOSTS,
    authenticate: async (request) => {
      authorize(request);
      return {
        auth: { scopes: held, cacheKey: scopes.join(' ') },
        admit: ({ toolName }) => void log.push({ method: request.method, path: request.url, tool: toolName, address: request.ip }),
        admitProbe: () => Promise.resolve(),
        openStream: () => {
          throw CommonErrors.rateLimited();
        },
        logError: () => undefined,
      };
    },
  });
  void app.register((routes, _options, done) => {
    addNoteRoutes(routes, (request, scope) => {
      const tool = mcpCallOf(request.raw)?.toolName;
      log.push({ method: request.method, path: request.url, tool, address: request.ip });
      authorize(request);
      if (!held.has(scope)) throw new FixtureError(403, 'insufficient_scope', `The key lacks ${scope}`);
    });
    done();
  });
  return { app, log };
}

class FixtureError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

function addNoteRoutes(app: FastifyInstance, require: (request: FastifyRequest, scope: string) => void): void {
  const notes = new Map<string, Note>([['1', { object: 'note', id: '1', text: 'First', version: 1 }]]);
  const guarded = (scope: string) => ({ onRequest: async (request: FastifyRequest) => require(request, scope) });
  const found = (request: FastifyRequest): Note => {
    const note = notes.get((request.params as { note_id: string }).note_id);
    if (note === undefined) throw new FixtureError(404, 'not_found', 'No such note');
    return note;
  };
  const list = (data: unknown[]): object => ({ object: 'list', data, has_more: false, next_cursor: null });

  app.addContentTypeParser('application/merge-patch+json', { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'));
  app.get('/api/v1/ext/notes', guarded('notes:note:read'), async (_request, reply) => {
    void reply.header('RateLimit-Remaining', '59');
    return list([...notes.values()]);
  });
  app.post('/api/v1/ext/notes', guarded('notes:note:write'), async (request, reply: FastifyReply) => {
    const { text } = request.body as { text?: string };
    if (typeof text !== 'string') throw new FixtureError(400, 'missing_fields', 'text is required');
    const note: Note = { object: 'note', id: String(notes.size + 1), text, version: 1 };
    notes.set(note.id, note);
    return reply.code(201).send(note);
  });
  app.get('/api/v1/ext/notes/:note_id', guarded('notes:note:read'), async (request) => found(request));
  app.patch('/api/v1/ext/notes/:note_id', guarded('notes:note:write'), async (request) => {
    const note = found(request);
    const match = request.headers['if-match'];
    if (match !== undefined && match !== `"${note.version}"`) throw new FixtureError(412, 'version_conflict', 'Changed since');
    Object.assign(note, request.body, { version: note.version + 1 });
    return note;
  });
  app.delete('/api/v1/ext/notes/:note_id', guarded('notes:note:write'), async (request, reply) => {
    notes.delete(found(request).id);
    return reply.code(204).send();
  });
  app.get('/api/v1/ext/labels', guarded('labels:label:read'), async () => list(['red']));
  app.put('/api/v1/ext/labels', guarded('labels:label:write'), async (request) => list(request.body as string[]));
  app.post('/api/v1/ext/labels/mail', guarded('labels:label:write'), async (_request, reply) => reply.code(202).send());
  app.get('/api/v1/ext/labels/export', guarded('labels:label:read'), async (_request, reply) =>
    reply.type('text/csv').send('label\nred\n'),
  );
}

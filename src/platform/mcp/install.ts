import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppConfig } from '../config/settings.js';
import { CommonErrors } from '../../kit/index.js';
import { BaseUrl } from '../config/base-url.js';
import { MCP_PATH } from '../config/mcp-address.js';
import { Release } from '../health/release.js';
import { envelopeOf } from '../http/errors/error-envelope.js';
import type { Routing } from '../http/in-process/inner-call.js';
import { KeyCheck } from '../http/callers/key-check.js';
import { KeyChanges } from '../key-changes/key-changes.js';
import { KeyAuthenticator } from '../keys/key-authenticator.js';
import { clientAddress, compileProxies } from '../net/address.js';
import { poolOf } from '../persistence/database/pool.js';
import { customFieldsOf, definitionsOn } from '../persistence/rows/custom-field-definitions.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import { rawRoute, RouteRegistry } from '../registry/route-registry.js';
import { callerFields } from './caller-fields.js';
import type { CallerFields } from './catalog/custom-fields.js';
import { McpDispatcher } from './dispatch/dispatcher.js';
import { ToolListStreams } from './list-changes/tool-list-streams.js';
import type { McpFault } from './protocol/fault.js';
import type { McpExtension } from './local-tools/local-tool.js';
import { serveDirectCalls } from './transport/direct-calls.js';
import { registerMcpRoutes, type McpCaller } from './transport/mcp.routes.js';
import type { Catalog } from './catalog/tool-catalog.js';
import { unknownWords, Vocabulary } from './text/vocabulary.js';
import { namesIn } from './names.js';
import { LOOPBACK_HOSTS } from './transport/transport-guard.js';

const MCP_ROUTE = rawRoute('POST', MCP_PATH);

export interface McpOptions {
  extension?: McpExtension;
  /** When the tools are built from the document. */
  build: 'now' | 'when needed';
}

/**
 * The MCP endpoint: every keyed operation of the OpenAPI document is a tool that calls its route in process.
 * - `protocol/` what the specification defines: messages, revisions, headers, errors
 * - `catalog/` the tools, built from the OpenAPI document, and how callers filter them
 * - `local-tools/` the tools without a route: guides and search
 * - `dispatch/` from one POST body to its response
 * - `list-changes/` open streams, which say that the tools of a key have changed
 * - `transport/` the Fastify routes, CORS and origin checks
 * - `text/` nearest names, stems, and the words of agents
 */
export function installMcp(app: NestFastifyApplication, catalog: () => Catalog, config: AppConfig, { extension, build }: McpOptions): void {
  const baseUrl = app.get(BaseUrl);
  const { version, commit } = app.get(Release);
  const { manifests } = app.get(ModuleRegistry);
  const guides = manifests.map(({ name, title, guide }) => ({ module: name, title, text: guide }));
  const words = manifests.map(({ name, agentWords }) => ({ module: name, ...agentWords }));
  const operations = app
    .get(RouteRegistry)
    .routes.flatMap(({ plane, module, endpoint }) => (plane === 'keyed' && endpoint ? [{ module, operation: endpoint.operation }] : []));
  const unknown = unknownWords(words, operations);
  if (unknown.length > 0) throw new Error(`Some modules are declared incorrectly:\n- ${unknown.join('\n- ')}`);
  let built: McpDispatcher | undefined;
  const dispatcher = () =>
    (built ??= new McpDispatcher({
      catalog: catalog(),
      guides,
      vocabulary: new Vocabulary(words),
      extension,
      names: namesIn(() => poolOf(app.get(DataSource))),
      serverInfo: { name: 'work-suite', title: 'Work suite', version },
      commit,
      renderFault: (fault, requestId) => JSON.stringify(envelopeOf(errorOf(fault), requestId, baseUrl.value)),
    }));
  if (build === 'now') dispatcher();
  const fastify = app.getHttpAdapter().getInstance();
  const keyCheck = app.get(KeyCheck);
  const endpoint = {
    dispatcher,
    path: MCP_PATH,
    allowedOrigins: [...config.mcpAllowedOrigins, ...(config.baseUrl ? [new URL(config.baseUrl).origin] : [])],
    ...(['127.0.0.1', '::1', 'localhost'].includes(config.host) ? { allowedHosts: LOOPBACK_HOSTS } : {}),
  };
  const keys = app.get(KeyAuthenticator);
  const dataSource = app.get(DataSource);
  const tools: ToolsOfKeys = {
    fieldsOf: async ({ organizationId, projectId }) =>
      callerFields(await customFieldsOf(dataSource).of(definitionsOn(poolOf(dataSource)), organizationId), projectId),
    cacheKeyOf: (key, { revision }) => `${cacheKeyOf(key)}${revision}${extension?.version?.() ?? ''}`,
  };
  const streams = new ToolListStreams(keys, app.get(KeyChanges), commit ?? version, async (key) =>
    tools.cacheKeyOf(key, await tools.fieldsOf(key)),
  );
  fastify.addHook('preClose', async () => streams.close());
  registerMcpRoutes(fastify as never, {
    ...endpoint,
    authenticate: (request, reply) => authenticate(keyCheck, tools, streams, request, reply),
  });
  // a worker answers nothing but its health
  if (config.appRole === 'worker') return;
  const proxies = compileProxies(config.trustedProxies);
  serveDirectCalls(fastify.server as Server, {
    ...endpoint,
    routing: fastify.routing as Routing,
    knownCaller: (request) => {
      const { headers, socket } = request;
      const key = keys.peek(request, clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], proxies));
      if (!key) return null;
      const { scopes, requiresPlan, memberId, organizationId, projectId } = key;
      return { scopes, requiresPlan, hasMember: memberId !== null, cacheKey: cacheKeyOf(key), organizationId, projectId };
    },
  });
}

function errorOf({ code, ...occurrence }: McpFault) {
  return code === 'missing_fields' ? CommonErrors.missingFields(occurrence) : CommonErrors.validationFailed(occurrence);
}

type Listed = Pick<CallContext, 'scopes' | 'requiresPlan' | 'memberId' | 'organizationId' | 'projectId'>;

/** What the tools of a key depend on. */
interface ToolsOfKeys {
  fieldsOf(key: Listed): Promise<CallerFields>;
  cacheKeyOf(key: Listed, fields: CallerFields): string;
}

const cacheKeys = new WeakMap<ReadonlySet<string>, string>();

/** Callers with the same scopes share a listing. The set of a cached key is the same object in every call. */
function cacheKeyOf({ scopes, requiresPlan, memberId }: Pick<Listed, 'scopes' | 'requiresPlan' | 'memberId'>): string {
  let key = cacheKeys.get(scopes);
  if (key === undefined) cacheKeys.set(scopes, (key = [...scopes].sort().join(' ')));
  return `${requiresPlan ? 'plan ' : ''}${memberId === null ? 'unbound ' : ''}${key}`;
}

/** Authentication errors are logged as requests to the endpoint. After that, only messages that no route handles are. */
async function authenticate(
  keyCheck: KeyCheck,
  tools: ToolsOfKeys,
  streams: ToolListStreams,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<McpCaller> {
  const { state } = request;
  state.route = MCP_ROUTE;
  state.via = 'mcp';
  await keyCheck.authenticate(request);
  state.route = null;
  const ctx = () => request.ctx as CallContext;
  const { organizationId, projectId } = ctx();
  const customFields = await tools.fieldsOf(ctx());
  const admit: McpCaller['admit'] = async ({ toolName }) => {
    state.route = MCP_ROUTE;
    state.tool = toolName ?? null;
    await keyCheck.charge(request, reply);
  };
  return {
    // getters, because `admit` may find that the key has changed
    auth: {
      get scopes() {
        return ctx().scopes;
      },
      get requiresPlan() {
        return ctx().requiresPlan;
      },
      get hasMember() {
        return ctx().memberId !== null;
      },
      organizationId,
      projectId,
      get cacheKey() {
        return tools.cacheKeyOf(ctx(), customFields);
      },
      customFields,
    },
    admit,
    admitProbe: async () => {
      await admit({ method: undefined, toolName: undefined });
      state.route = null;
    },
    openStream: (frames) => {
      const { authorization } = request.headers;
      const key = { id: state.apiKeyId!, organizationId, authorization, address: state.address };
      const stream = streams.open(key, frames, tools.cacheKeyOf(ctx(), customFields));
      state.route = MCP_ROUTE;
      state.streamsSince = performance.now();
      return stream;
    },
    logError: (error) => {
      state.rejection ??= error;
    },
  };
}

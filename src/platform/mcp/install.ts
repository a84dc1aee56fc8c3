import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppConfig } from '../config/settings.js';
import { CommonErrors } from '../../kit/index.js';
import { BaseUrl } from '../http/base-url.js';
import { attachKey, noteRefused } from '../http/caller.guard.js';
import { envelopeOf } from '../http/error-envelope.js';
import { KeyAuthenticator } from '../keys/key-authenticator.js';
import { Limiter } from '../rate-limit/limiter.js';
import { rateLimitHeaders } from '../rate-limit/rate-limit-headers.js';
import { RateLimited } from '../rate-limit/rate-limited.error.js';
import type { LimitedCaller } from '../rate-limit/limits.guard.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import type { Route } from '../registry/route-registry.js';
import { McpDispatcher } from './dispatcher.js';
import type { McpFault } from './error-envelope.js';
import type { McpExtension } from './local-tool.js';
import { registerMcpRoutes, type McpCaller } from './mcp.routes.js';
import { buildCatalogue } from './tool-catalogue.js';
import { LOOPBACK_HOSTS } from './transport-guard.js';

export const MCP_PATH = '/api/v1/ext/mcp';

/** The endpoint as the log knows it. */
const MCP_ROUTE: Route = {
  controller: McpDispatcher as never, method: 'POST', path: MCP_PATH, plane: 'keyed', module: null, endpoint: null, publicReason: null,
  write: false, bodyDto: null, queryDto: null,
};

/** Reads the tools from the OpenAPI document and opens the MCP endpoint. */
export function installMcp(app: NestFastifyApplication, document: OpenAPIObject, config: AppConfig, extension?: McpExtension): void {
  const baseUrl = app.get(BaseUrl);
  const guides = app.get(ModuleRegistry).manifests.map(({ name, title, guide }) => ({ module: name, title, text: guide }));
  const dispatcher = new McpDispatcher({
    catalogue: buildCatalogue(document), guides, extension,
    serverInfo: { name: 'work-suite', title: 'Work suite', version: '1.0.0' },
    renderFault: (fault, requestId) => JSON.stringify(envelopeOf(errorOf(fault), requestId, baseUrl.value)),
  });
  const fastify = app.getHttpAdapter().getInstance();
  const entrance = new McpEntrance(app.get(KeyAuthenticator), app.get(Limiter));
  registerMcpRoutes(fastify as never, {
    dispatcher,
    path: MCP_PATH,
    allowedOrigins: [...config.mcpAllowedOrigins, ...(config.baseUrl ? [new URL(config.baseUrl).origin] : [])],
    ...(['127.0.0.1', '::1', 'localhost'].includes(config.host) ? { allowedHosts: LOOPBACK_HOSTS } : {}),
    authenticate: (request, reply) => entrance.authenticate(request, reply),
  });
}

function errorOf({ code, ...occurrence }: McpFault) {
  return code === 'missing_fields' ? CommonErrors.missingFields(occurrence) : CommonErrors.validationFailed(occurrence);
}

/** The checks in front of the endpoint itself; a tool's call passes those of its route as well. */
class McpEntrance {
  constructor(
    private readonly keys: KeyAuthenticator,
    private readonly limiter: Limiter,
  ) {}

  async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<McpCaller> {
    const { state } = request;
    // until something is admitted here the route of the call counts and logs, but a refusal is this endpoint's own
    state.route = MCP_ROUTE;
    try {
      attachKey(request, await this.keys.authenticate(request.headers.authorization, state.address));
    } catch (error) {
      noteRefused(state, error);
    }
    state.route = null;
    const { scopes } = request.ctx as NonNullable<typeof request.ctx>;
    return {
      auth: { scopes, cacheKey: [...scopes].sort().join(' ') },
      admit: async ({ toolName }) => {
        state.route = MCP_ROUTE;
        state.tool = toolName ?? null;
        await this.charge(request.caller as LimitedCaller, reply);
      },
    };
  }

  private async charge(caller: LimitedCaller, reply: FastifyReply): Promise<void> {
    const buckets = caller.bucketsFor();
    const admission = await this.limiter.admit(buckets);
    await caller.confirm?.(admission.keysEpoch);
    void reply.headers(rateLimitHeaders(buckets, admission));
    if (!admission.admitted) throw new RateLimited(admission.retryAfterSeconds);
  }
}

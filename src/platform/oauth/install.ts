import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BaseUrl } from '../config/base-url.js';
import { Limiter } from '../rate-limit/limiter.js';
import { charge } from '../rate-limit/limits.guard.js';
import { RateLimited } from '../rate-limit/rate-limited.error.js';
import { registerDiscovery } from './discovery/discovery.routes.js';
import { registerOAuthRoutes } from './server/oauth.routes.js';
import { OAuthServer } from './server/oauth-server.js';

/**
 * OAuth for MCP clients, which need to know only the address of the MCP endpoint.
 * - `discovery/` the well-known documents
 * - `clients/` what clients say about themselves
 * - `storage/` clients, codes and tokens in PostgreSQL; grants are API keys
 * - `server/` the OAuth library and its endpoints
 * - `consent/` the page that asks the member
 */
export function installOAuth(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance() as never;
  const base = app.get(BaseUrl);
  const baseUrl = () => base.value;
  const limiter = app.get(Limiter);
  const server = app.get(OAuthServer);
  registerDiscovery(fastify, { baseUrl, scopes: () => server.scopes });
  registerOAuthRoutes(fastify, {
    server,
    baseUrl,
    charge: (kind, request, reply) => charge(limiter, server.callerFrom(request.state.address, kind), reply),
    chargeRegistration: async ({ state }) => {
      const admission = await server.chargeClient('registration', state.address);
      if (!admission.admitted) throw new RateLimited(admission.retryAfterSeconds);
    },
  });
}

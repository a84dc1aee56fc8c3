import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppModule, type AppOptions } from './app.module.js';
import { buildDocuments, documentSettings, installDocs } from './platform/docs/docs.js';
import { CallLogs } from './platform/http/logs/call-logs.js';
import { KeyCheck } from './platform/http/callers/key-check.js';
import { BaseUrl } from './platform/config/base-url.js';
import { receiveForms } from './platform/http/unrouted/receive-forms.js';
import {
  clientErrorHandler,
  newRequestId,
  rejectExpectations,
  rejectTunnels,
  REQUEST_TIMEOUT_MS,
  SERVER_OPTIONS,
} from './platform/http/unrouted/server-errors.js';
import { installHooks } from './platform/http/pipeline.js';
import { WriteInterceptor } from './platform/http/write.interceptor.js';
import { serveOnlyHealth } from './platform/http/unrouted/worker-paths.js';
import { PathMethods } from './platform/http/paths/path-methods.js';
import { respondToUndecodablePath, installUnknownPaths } from './platform/http/unrouted/unknown-paths.js';
import { rejectUnreadableBodies } from './platform/http/unrouted/unreadable-bodies.js';
import { compileProxies } from './platform/net/address.js';
import { DefaultPermissions } from './platform/people/roles/default-permissions.js';
import { installMcp } from './platform/mcp/install.js';
import { installOAuth } from './platform/oauth/install.js';
import type { McpExtension } from './platform/mcp/local-tools/local-tool.js';
import type { DocumentCache } from './platform/openapi/document-cache.js';
import { withoutMcpSlash } from './platform/config/mcp-address.js';
import { loggerOf } from './platform/logging/logger.js';
import { withMend } from './platform/registry/missing-providers.js';
import { RouteRegistry } from './platform/registry/route-registry.js';
import { KeptBodies } from './platform/request-log/kept-bodies.js';
import { RequestLog } from './platform/request-log/request-log.js';

export interface CreateAppOptions extends AppOptions {
  /** Additional MCP methods and tools for the conformance tests. */
  mcpExtension?: McpExtension;
  /** Caches the OpenAPI documents between starts. */
  documentCache?: DocumentCache;
}

/** Creates the application, ready to listen. */
export async function createApp({ mcpExtension, documentCache, ...options }: CreateAppOptions): Promise<NestFastifyApplication> {
  const { config } = options;
  const adapter = new FastifyAdapter({
    bodyLimit: config.bodyLimitBytes,
    genReqId: newRequestId,
    rewriteUrl: ({ url = '/' }) => withoutMcpSlash(url),
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: SERVER_OPTIONS,
    clientErrorHandler: clientErrorHandler(() => app.get(BaseUrl).value),
    // a hook rejects them, with the error envelope
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // longer than any request line: a path parameter that is too long is an unknown id, and the key is checked first
    routerOptions: { maxParamLength: 65_536 },
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      respondToUndecodablePath(request, reply, app.get(BaseUrl).value),
  });
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(AppModule.register(options), adapter, {
    bodyParser: false,
    logger: loggerOf(config),
    abortOnError: false,
  }).catch((error: unknown) => {
    throw withMend(error);
  });
  try {
    await install(app, { ...options, mcpExtension, documentCache });
  } catch (error) {
    // close what was opened before the failure
    await app.close().catch(() => undefined);
    throw error;
  }
  return app;
}

async function install(app: NestFastifyApplication, { config, mcpExtension, documentCache }: CreateAppOptions): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  receiveForms(fastify as never);
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.get(WriteInterceptor).attach(fastify as never, app.get(RouteRegistry));
  installHooks(fastify, compileProxies(config.trustedProxies), app.get(RequestLog), app.get(KeptBodies));
  rejectExpectations(fastify.server as Server, () => app.get(BaseUrl).value);
  rejectTunnels(fastify.server as Server, () => app.get(BaseUrl).value);
  app.get(PathMethods).install(fastify as never);
  if (config.appRole === 'worker') serveOnlyHealth(fastify);
  await app.init();
  await app.get(DefaultPermissions).apply();
  app.get(CallLogs).install(fastify as never);
  if (config.appRole === 'worker') return;
  const settings = documentSettings(app);
  const cached = documentCache?.read(settings);
  const documents = cached ?? buildDocuments(app, settings);
  installDocs(app, documents);
  // invalid tools fail the start; with cached documents, they have been built before
  installMcp(app, documents.keyed, config, { extension: mcpExtension, build: cached ? 'when needed' : 'now' });
  if (!cached) documentCache?.write(settings, documents);
  installOAuth(app);
  installUnknownPaths(fastify as never, app.get(KeyCheck), app.get(PathMethods));
  rejectUnreadableBodies(fastify as never, app.get(KeyCheck));
}

import type { Server } from 'node:http';
import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { CustomFieldCatalog, RowKeys } from '../kit/index.js';
import { BaseUrl } from './config/base-url.js';
import type { AppConfig } from './config/settings.js';
import { buildDocuments, documentSettings, documentsOnDemand, installDocs } from './docs/docs.js';
import { AccessGuard, CallerGuard } from './http/callers/caller.guard.js';
import { KeyCheck } from './http/callers/key-check.js';
import { compressResponses } from './http/compression/compress-responses.js';
import { Draining } from './health/draining.js';
import { ErrorFilter } from './http/errors/error.filter.js';
import { beginRequests } from './http/hooks/begin-requests.js';
import { raiseBodyLimits, rejectAmbiguousHeads } from './http/hooks/reject-requests.js';
import { addHeaders, endConnections, receiveResults, sendCsv } from './http/hooks/response-headers.js';
import { CallLogs } from './http/logs/call-logs.js';
import { holdResponses, logRequests } from './http/logs/log-requests.js';
import { measureRequests, serveMetrics } from './http/logs/measure-requests.js';
import { endSpans } from './http/logs/trace-requests.js';
import { writeLines } from './http/logs/write-lines.js';
import { PathMethods } from './http/paths/path-methods.js';
import { ToolArgumentsGuard } from './http/validation/tool-arguments.guard.js';
import { ScenarioGuard } from './http/scenario.guard.js';
import { receiveForms } from './http/unrouted/receive-forms.js';
import { rejectExpectations, rejectTunnels } from './http/unrouted/server-errors.js';
import { installUnknownPaths } from './http/unrouted/unknown-paths.js';
import { discardUnreadBodies } from './http/unrouted/unread-bodies.js';
import { rejectUnreadableBodies } from './http/unrouted/unreadable-bodies.js';
import { serveOnlyHealth } from './http/unrouted/worker-paths.js';
import { ValidationGuard } from './http/validation/validation.guard.js';
import { WriteInterceptor } from './http/write.interceptor.js';
import { catalogOf } from './mcp/catalog/tool-catalog.js';
import { installMcp } from './mcp/install.js';
import type { McpExtension } from './mcp/local-tools/local-tool.js';
import { MetricsEndpoint } from './metrics/metrics-endpoint.js';
import { Metrics } from './metrics/metrics.js';
import { compileProxies, type AddressMatcher } from './net/address.js';
import { installOAuth } from './oauth/install.js';
import type { DocumentCache } from './openapi/document-cache.js';
import { LimitsGuard } from './rate-limit/limits.guard.js';
import { RouteRegistry } from './registry/route-registry.js';
import { KeptBodies } from './request-log/kept-bodies.js';
import { RequestLog } from './request-log/request-log.js';

/** Around each handler: Nest runs them in this order. */
export const AROUND_HANDLERS: Provider[] = [
  { provide: APP_GUARD, useClass: CallerGuard }, // authentication by key or session, and the address
  { provide: APP_GUARD, useClass: LimitsGuard }, // rate limits
  { provide: APP_GUARD, useClass: AccessGuard }, // scope, permission, actor
  { provide: APP_GUARD, useClass: ToolArgumentsGuard }, // keys of projects in tool calls
  { provide: APP_GUARD, useClass: ValidationGuard }, // body, query, headers, project pin
  { provide: APP_GUARD, useClass: ScenarioGuard }, // failures that a test key requests
  WriteInterceptor, // one transaction, executed once per Idempotency-Key; aroundWrites attaches it
  { provide: APP_FILTER, useClass: ErrorFilter }, // the error envelope
];

/** Around every request, including rejected ones: Fastify runs hooks of one kind in this order. */
function installHooks(
  fastify: FastifyInstance,
  trustedProxies: AddressMatcher,
  requestLog: RequestLog,
  keptBodies: KeptBodies,
  draining: Draining,
  customFields: CustomFieldCatalog,
): void {
  raiseBodyLimits(fastify); // onRoute: the largest limit of a route
  beginRequests(fastify, trustedProxies); // onRequest, preValidation: request id, client address, tool call
  discardUnreadBodies(fastify); // onSend: reads the rest of a body, so that the client gets the response
  rejectAmbiguousHeads(fastify); // onRequest: heads that two servers could read in different ways
  endConnections(fastify, draining); // onSend: Connection: close while the process is about to stop
  sendCsv(fastify, customFields); // preSerialization: lists as CSV
  receiveResults(fastify); // preSerialization: files, results of tools, ETag
  holdResponses(fastify); // onSend: the text of responses that the log keeps
  addHeaders(fastify); // onSend: mode, caching, deprecation
  compressResponses(fastify); // onSend: br and gzip
  logRequests(fastify, requestLog, keptBodies); // onResponse: request log, kept bodies
}

export interface PipelineOptions {
  config: AppConfig;
  /** Additional MCP methods and tools for the conformance tests. */
  mcpExtension?: McpExtension;
  /** Caches the OpenAPI documents between starts. */
  documentCache?: DocumentCache;
}

/** Everything that surrounds the routes, in the order in which it is installed. */
export async function installPipeline(app: NestFastifyApplication, options: PipelineOptions): Promise<void> {
  const { config } = options;
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const server = fastify.server as Server;
  const baseUrl = () => app.get(BaseUrl).value;

  rejectExpectations(server, baseUrl); // an unknown Expect header: 417
  rejectTunnels(server, baseUrl); // CONNECT and Upgrade
  fastify.removeAllContentTypeParsers();
  receiveForms(fastify); // uploads and mails, up to the limit of their route
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body)); // all other bodies
  installHooks(
    fastify,
    compileProxies(config.trustedProxies),
    app.get(RequestLog),
    app.get(KeptBodies),
    app.get(Draining),
    app.get(CustomFieldCatalog),
  );
  measureRequests(fastify, app.get(Metrics), app.get(RouteRegistry)); // onResponse: metrics
  endSpans(fastify); // onResponse: the span of the request
  writeLines(fastify, config); // onResponse: a log line, a warning if it was slow
  serveMetrics(fastify, app.get(MetricsEndpoint)); // onRequest: /metrics
  app.get(WriteInterceptor).attach(fastify, app.get(RouteRegistry)); // one transaction for each write
  fastify.decorate('rowKeys', app.get(RowKeys)); // ids of the rows whose keys a path has
  app.get(PathMethods).install(fastify); // the methods of each path, for 405
  if (config.appRole === 'worker') serveOnlyHealth(fastify); // any other path: 404

  await app.init(); // the routes, with AROUND_HANDLERS
  app.get(CallLogs).install(fastify); // the logs of single routes
  if (config.appRole === 'worker') return;
  const settings = documentSettings(app);
  const cached = options.documentCache?.read(settings);
  const onDemand = config.apiDocuments === 'on-demand';
  const documents = cached ?? (onDemand ? documentsOnDemand(app, settings) : buildDocuments(app, settings));
  const catalog = catalogOf(documents.keyed);
  installDocs(app, documents, catalog); // the OpenAPI documents and the reference
  installMcp(app, catalog, config, { extension: options.mcpExtension, build: cached || onDemand ? 'when needed' : 'now' }); // tools
  // only now: invalid tools fail each start
  if (!cached && !onDemand) options.documentCache?.write(settings, documents);
  installOAuth(app); // the authorization server for MCP clients
  installUnknownPaths(fastify, app.get(KeyCheck), app.get(PathMethods)); // paths and methods that no route has: 404, 405
  rejectUnreadableBodies(fastify, app.get(KeyCheck)); // bodies that are too large or of no known type, once the key is checked
}

import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppModule, type AppOptions } from './app.module.js';
import { noteChange } from './platform/audit/installation-log.js';
import { BaseUrl } from './platform/config/base-url.js';
import { withoutMcpSlash } from './platform/config/mcp-address.js';
import { clientErrorHandler, newRequestId, REQUEST_TIMEOUT_MS, SERVER_OPTIONS } from './platform/http/unrouted/server-errors.js';
import { respondToUndecodablePath } from './platform/http/unrouted/unknown-paths.js';
import { WorkerAdapter } from './platform/http/unrouted/worker-paths.js';
import { loggerOf } from './platform/logging/logger.js';
import { warnOfSlowStatements } from './platform/persistence/database/slow-statements.js';
import { MissingSetups } from './platform/people/projects/missing-setups.js';
import { DefaultPermissions } from './platform/people/roles/default-permissions.js';
import { installPipeline, type PipelineOptions } from './platform/pipeline.js';
import { startTracing } from './platform/tracing/tracing.js';
import { withMend } from './platform/registry/missing-providers.js';

export type CreateAppOptions = AppOptions & PipelineOptions;

/** Creates the application, ready to listen. */
export async function createApp({ mcpExtension, documentCache, ...options }: CreateAppOptions): Promise<NestFastifyApplication> {
  const { config } = options;
  await startTracing(config);
  warnOfSlowStatements(config.slowStatementMs);
  const Adapter = config.appRole === 'worker' ? WorkerAdapter : FastifyAdapter;
  const adapter = new Adapter({
    bodyLimit: config.bodyLimitBytes,
    genReqId: newRequestId,
    rewriteUrl: ({ url = '/' }) => withoutMcpSlash(url),
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: SERVER_OPTIONS,
    clientErrorHandler: clientErrorHandler(() => app.get(BaseUrl).value),
    // requests that still arrive on open connections are served
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
    await installPipeline(app, { config, mcpExtension, documentCache });
    await app.get(DefaultPermissions).apply(noteChange);
    await app.get(MissingSetups).apply();
  } catch (error) {
    // close what was opened before the failure
    await app.close().catch(() => undefined);
    throw error;
  }
  return app;
}

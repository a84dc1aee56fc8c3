import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { DiscoveryModule, InitializeOnPreviewAllowlist, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { loadConfig } from './platform/config/config.js';
import { buildDocuments } from './platform/docs/docs.js';
import type { ApiDocuments } from './platform/openapi/document-cache.js';
import { RegistryModule } from './platform/registry/registry.module.js';
import { webhookSettings } from './platform/webhooks/sending/webhook-settings.js';

// in preview mode Nest constructs the providers of these modules only
for (const module of [RegistryModule, DiscoveryModule]) InitializeOnPreviewAllowlist.add(module);

/** The documents that an application of these modules serves, from the declarations alone: without a database, and nothing runs. */
export async function describeApi(modules: readonly Type[]): Promise<ApiDocuments> {
  const config = loadConfig({ NODE_ENV: 'test' });
  const app = await NestFactory.create(AppModule.register({ config, databaseUrl: 'postgres://unused', modules }), new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  await app.init();
  return buildDocuments(app, { baseUrl: '', delivery: webhookSettings(config), commit: null });
}

// The pages under /docs, and the OpenAPI documents over HTTP.

import type { OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { BaseUrl } from '../config/base-url.js';
import { buildOpenApi, scanControllers } from '../openapi/openapi.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { RouteRegistry } from '../registry/route-registry.js';
import { EventCatalog } from '../webhooks/endpoints/event-catalog.js';
import { SECRET_PATTERN } from '../keys/key-secret.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from '../webhooks/sending/webhook-settings.js';
import { errorsPage } from './errors-page.js';
import { installSwaggerUi } from './swagger-ui.js';
import { webhooksPage } from './webhooks-page.js';

export interface Documents {
  /** `/openapi.json`: what API keys reach. */
  keyed: OpenAPIObject;
  /** `/openapi.org.json`: the product plane. */
  product: OpenAPIObject;
}

const KEYED_TEXT = `Business software driven by programs and AI agents. Every call carries an API key as \`Authorization: Bearer <API_KEY>\`.
Keys look like \`${SECRET_PATTERN}\`; secret scanners may search for that. Test keys (\`svc_test_\`) and live keys (\`svc_live_\`) never see each other's data.
Errors: [/docs/errors](/docs/errors). Webhooks and how to receive them: [/docs/webhooks](/docs/webhooks).`;

/** Builds the OpenAPI documents and serves them with the pages that explain them. */
export function installDocs(app: NestFastifyApplication): Documents {
  const modules = app.get(ModuleRegistry);
  const { routes } = app.get(RouteRegistry);
  const baseUrl = app.get(BaseUrl).value || null;
  const events = app.get(EventCatalog).entries;
  const scanned = scanControllers(app, events);
  const documents: Documents = {
    keyed: buildOpenApi(scanned, routes, modules, { title: 'Work suite API', description: KEYED_TEXT, baseUrl, planes: ['keyed'], events }),
    product: buildOpenApi(scanned, routes, modules, {
      title: 'Work suite product plane',
      description: 'What the screens do, for a signed-in member: sign in with POST /api/v1/org/session.',
      baseUrl,
      planes: ['product'],
    }),
  };
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  serve(fastify, '/openapi.json', 'application/json; charset=utf-8', JSON.stringify(documents.keyed));
  serve(fastify, '/openapi.org.json', 'application/json; charset=utf-8', JSON.stringify(documents.product));
  serve(fastify, '/docs/errors', 'text/html; charset=utf-8', errorsPage([...modules.errors().values()]));
  serve(fastify, '/docs/webhooks', 'text/html; charset=utf-8', webhooksPage(app.get<WebhookSettings>(WEBHOOK_SETTINGS, { strict: false })));
  installSwaggerUi(fastify, '/docs', 'Work suite API', [
    { url: '/openapi.json', name: 'Keyed API' },
    { url: '/openapi.org.json', name: 'Product plane' },
  ]);
  return documents;
}

function serve(fastify: FastifyInstance, path: string, type: string, body: string): void {
  const bytes = Buffer.from(body);
  fastify.get(path, (_request, reply) => reply.type(type).header('Cache-Control', 'no-cache').send(bytes));
}

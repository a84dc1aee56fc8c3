// The pages under /docs, and the OpenAPI documents over HTTP.

import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { DocumentationPage } from '../../kit/index.js';
import { clientArchive } from '../client/client-package.js';
import { BaseUrl } from '../config/base-url.js';
import { Release } from '../health/release.js';
import type { ApiDocuments } from '../openapi/document-cache.js';
import { documentOfTag } from '../openapi/module-document.js';
import { buildOpenApi, scanControllers, type OpenApiOptions } from '../openapi/openapi.js';
import { PackedDocument } from '../openapi/packed-document.js';
import type { DescribedDelivery } from '../openapi/webhooks.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { RouteRegistry } from '../registry/route-registry.js';
import { sentEvents } from '../webhooks/endpoints/event-catalog.js';
import { SECRET_PATTERN } from '../keys/key-secret.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from '../webhooks/sending/webhook-settings.js';
import { KeyCheck } from '../http/callers/key-check.js';
import { eventTriggers } from './event-triggers.js';
import { errorsPage, isOfStatus } from './errors-page.js';
import { PublishedFiles } from './published-files.js';
import { installReference } from './install-reference.js';
import type { WrittenPage } from './reference/site.js';
import { SampleIdsSource } from './reference/sample-ids.js';
import type { Catalog } from '../mcp/catalog/tool-catalog.js';
import { installSwaggerUi } from './swagger-ui.js';
import { webhooksPage } from './webhooks-page.js';

// not among the contents of the responses: a generated client would take each list for an object or a text
const CSV_TEXT = 'Lists also come as CSV files, with `Accept: text/csv`.';

const KEYED_TEXT = `Business software driven by programs and AI agents. Every call carries an API key
as \`Authorization: Bearer <API_KEY>\`.
Keys look like \`${SECRET_PATTERN}\`; secret scanners can search for this pattern. Test keys (\`svc_test_\`) and live keys (\`svc_live_\`)
never see each other's data.
Every response says in \`Svc-Mode\` which of both answered, and in \`RateLimit-*\` how many requests are left, see 429.
Errors: [/docs/errors](/docs/errors). Webhooks and how to receive them: [/docs/webhooks](/docs/webhooks).
A typed client in TypeScript: \`npm install <base URL>/client.tgz\`.
${CSV_TEXT}`;

const PRODUCT_TEXT = `What the user interface does for a signed-in member: sign in with POST /api/v1/org/session. ${CSV_TEXT}`;

const PUBLIC_TEXT = `What visitors can do without an account, such as filling in a form; for websites that offer it on pages of their own.
Requests need no key. They are limited per IP address. Errors: [/docs/errors](/docs/errors).`;

/** The settings that the OpenAPI documents depend on. All else in them comes from the code. */
export interface DocumentSettings {
  baseUrl: string;
  delivery: DescribedDelivery;
  commit: string | null;
}

export function documentSettings(app: NestFastifyApplication): DocumentSettings {
  const { timeoutMs, attempts } = app.get<WebhookSettings>(WEBHOOK_SETTINGS, { strict: false });
  return { baseUrl: app.get(BaseUrl).value, delivery: { timeoutMs, attempts }, commit: app.get(Release).commit };
}

/** Builds the OpenAPI documents from the routes' declarations. */
export function buildDocuments(app: INestApplication, { baseUrl, delivery, commit }: DocumentSettings): ApiDocuments {
  const modules = app.get(ModuleRegistry);
  const { routes } = app.get(RouteRegistry);
  const events = sentEvents(modules);
  const scanned = scanControllers(app, routes, events);
  const pages = pagesOf(modules).map(({ slug, title }) => `${title}: [/docs/${slug}](/docs/${slug}).`);
  const built = (options: Omit<OpenApiOptions, 'baseUrl' | 'commit'>) =>
    PackedDocument.of(JSON.stringify(buildOpenApi(scanned, routes, modules, { ...options, baseUrl: baseUrl || null, commit })));
  return {
    keyed: built({
      title: 'Work suite API',
      description: [KEYED_TEXT, ...pages].join('\n'),
      planes: ['keyed'],
      webhooks: { events, delivery },
    }),
    product: built({
      title: 'Work suite product plane',
      description: [PRODUCT_TEXT, ...pages].join('\n'),
      planes: ['product'],
    }),
    public: built({ title: 'Work suite public API', description: PUBLIC_TEXT, planes: ['public'] }),
  };
}

/** The same, built together when one of them is read first. */
export function documentsOnDemand(app: INestApplication, settings: DocumentSettings): ApiDocuments {
  let built: ApiDocuments | undefined;
  const one = (name: keyof ApiDocuments) => PackedDocument.onDemand(() => (built ??= buildDocuments(app, settings))[name]);
  return { keyed: one('keyed'), product: one('product'), public: one('public') };
}

const JSON_TYPE = 'application/json; charset=utf-8';

function pagesOf({ manifests }: ModuleRegistry): DocumentationPage[] {
  return manifests.flatMap(({ documentation }) => documentation ?? []);
}

function moduleDocument({ keyed }: ApiDocuments, name: string, title: string): string {
  return JSON.stringify(documentOfTag(JSON.parse(keyed.content().toString()) as object, name, title));
}

/** Serves the OpenAPI documents and the documentation pages. */
export function installDocs(app: NestFastifyApplication, documents: ApiDocuments, catalog: () => Catalog): void {
  const modules = app.get(ModuleRegistry);
  const webhookSettings = app.get<WebhookSettings>(WEBHOOK_SETTINGS, { strict: false });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const keyCheck = app.get(KeyCheck);
  const files = new PublishedFiles(fastify, (request, reply) => keyCheck.chargeReader(request, reply));
  files.add('/openapi.json', { type: JSON_TYPE, content: () => documents.keyed.content() });
  files.add('/openapi.org.json', { type: JSON_TYPE, content: () => documents.product.content() });
  files.add('/openapi.public.json', { type: JSON_TYPE, content: () => documents.public.content() });
  const types = modules.events().map(({ definition }) => definition.name);
  const triggers = JSON.stringify({ triggers: eventTriggers(modules, app.get(RouteRegistry).routes), events: types.sort() });
  files.add('/triggers.json', { type: JSON_TYPE, content: () => triggers });
  files.add('/client.tgz', { type: 'application/gzip', content: () => clientArchive(documents) });
  const written: WrittenPage[] = [
    {
      path: '/docs/errors',
      title: 'All errors',
      group: null,
      summary: 'Every error code, and what to do about it.',
      body: (line) => errorsPage(modules.errors, line),
      entries: () =>
        modules.errors
          .filter((error) => !isOfStatus(error))
          .map(({ spec: { code, status, message, description = message }, anchor, module }) => ({
            title: code,
            place: module === null ? 'Errors' : `Errors, ${module}`,
            path: `/docs/errors#${anchor}`,
            kind: 'error' as const,
            words: String(status),
            text: `${message} ${description}`,
          })),
    },
    {
      path: '/docs/webhooks',
      title: 'Receiving webhooks',
      group: null,
      summary: 'Requests, responses, guarantees and complete receivers.',
      body: () => webhooksPage(webhookSettings),
    },
    ...modules.manifests.flatMap(({ title: group, documentation = [] }) =>
      documentation.map(({ slug, title, body }) => ({
        path: `/docs/${slug}`,
        title,
        group,
        summary: `For ${group}.`,
        body: () => body(modules.manifests),
      })),
    ),
  ];
  const { routes } = app.get(RouteRegistry);
  const baseUrl = () => app.get(BaseUrl).value;
  const bodyLimit = fastify.initialConfig.bodyLimit!;
  installReference(files, {
    document: documents.keyed,
    memberDocument: documents.product,
    modules,
    routes,
    baseUrl,
    bodyLimit,
    sampleIds: () => app.get(SampleIdsSource).get(),
    catalog,
    written,
  });
  const definitions = modules.manifests.map(({ name, title }) => {
    const path = `/openapi/${name}.json`;
    files.add(path, { type: JSON_TYPE, content: () => moduleDocument(documents, name, title) });
    return { url: path, name: title };
  });
  // a browser takes seconds to read the whole document, so that of a module is shown first
  installSwaggerUi(files, '/docs/swagger', 'Work suite API', [
    ...definitions,
    { url: '/openapi.json', name: 'Keyed API' },
    { url: '/openapi.org.json', name: 'Product plane' },
    { url: '/openapi.public.json', name: 'Public API' },
  ]);
}

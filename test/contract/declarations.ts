import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { describeApi } from '../../src/api-documents.js';
import { fieldsOf, type EventDefinition } from '../../src/kit/index.js';
import type { ErrorSpec, ErrorDefinition } from '../../src/kit/internal.js';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { buildCatalog, type CatalogTool } from '../../src/platform/mcp/catalog/tool-catalog.js';
import { SearchIndex } from '../../src/platform/mcp/local-tools/search-index.js';
import { Vocabulary } from '../../src/platform/mcp/text/vocabulary.js';
import { OfferedScopes } from '../../src/platform/oauth/consent/offered-scopes.js';
import { ModuleRegistry } from '../../src/platform/registry/module-registry.js';
import { RouteRegistry, type Plane } from '../../src/platform/registry/route-registry.js';
import { modulesOfRun } from '../harness/module-list.js';
import { SEARCH_QUESTIONS } from '../mcp/search-questions.js';
import { productFiles, textOf } from './source-files.js';
import { measureModules, type ModuleMeasure } from './tool-budget.js';

// What modules and routes declare, for the contract tests. Runs in the application's process.

export interface DeclaredRoute {
  method: string;
  path: string;
  plane: Plane;
  module: string | null;
  publicReason: string | null;
  /** Null for a page. */
  operation: string | null;
  scope: string | null;
  errors: ErrorSpec[];
}

export interface Declarations {
  routes: DeclaredRoute[];
  modules: { name: string; prefix: string; scopes: Record<string, string> }[];
  /** The error catalog. */
  errors: ErrorSpec[];
  /** The event catalog: names. */
  events: string[];
}

export function declarations(app: NestFastifyApplication): Declarations {
  const registry = app.get(ModuleRegistry);
  return {
    routes: app.get(RouteRegistry).routes.map(({ method, path, plane, module, publicReason, endpoint }) => ({
      method,
      path,
      plane,
      module,
      publicReason,
      operation: endpoint?.operation ?? null,
      scope: endpoint?.scope ?? null,
      errors: (endpoint?.errors ?? []).map(({ spec }) => spec),
    })),
    modules: registry.manifests.map(({ name, prefix, scopes }) => ({ name, prefix, scopes: { ...scopes } })),
    errors: registry.errors.map(({ spec }) => spec),
    events: registry.events().map(({ definition }) => definition.name),
  };
}

/** The number of handlers that Nest knows, and the names of those without @Endpoint and @Public. */
export function handlers(app: NestFastifyApplication): { count: number; undeclared: string[] } {
  const found = app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => {
      const { name: controller, prototype } = metatype as { name: string; prototype: Record<string, object> };
      return new MetadataScanner()
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name]))
        .map((name) => ({ name: `${controller}.${name}`, route: app.get(RouteRegistry).of(prototype[name]) }));
    });
  const undeclared = found.filter(({ route }) => !route || (!route.endpoint && route.publicReason === null));
  return { count: found.length, undeclared: undeclared.map(({ name }) => name) };
}

/** The integer fields of requests that are named as amounts but are not declared by `Field.amount`. */
export function undeclaredAmounts(app: NestFastifyApplication): string[] {
  const seen = new Set<Type>();
  const found: string[] = [];
  const visit = (dto: Type | null | undefined) => {
    if (!dto || seen.has(dto)) return;
    seen.add(dto);
    for (const [name, { kind, isAmount, type }] of fieldsOf(dto)) {
      if (kind === 'integer' && /(^|_)amount$/.test(name) && !isAmount) found.push(`${dto.name}.${name}`);
      visit(type?.());
    }
  };
  for (const { bodyDto, queryDto } of app.get(RouteRegistry).routes) [bodyDto, queryDto].forEach(visit);
  return found;
}

/** Fastify's own list of the paths that it serves, as a tree. */
export function routeTree(app: NestFastifyApplication): string {
  const fastify = app.getHttpAdapter().getInstance() as unknown as { printRoutes(options: object): string };
  return fastify.printRoutes({ commonPrefix: false });
}

/** The product's files, without the folders of modules that are not in the list of modules. */
function listedFiles(app: NestFastifyApplication): string[] {
  const folders = new Set(app.get(ModuleRegistry).manifests.map(({ name }) => name.replaceAll('_', '-')));
  return productFiles().filter((path) => {
    const folder = /^src\/modules\/([^/]+)\//.exec(path)?.[1];
    return folder === undefined || folders.has(folder);
  });
}

/** The errors that the product's files define. */
export async function definedErrors(app: NestFastifyApplication): Promise<ErrorSpec[]> {
  const defines = (path: string) => /\bdefineErrors\(/.test(textOf(path)) && !path.endsWith('kit/errors/errors.ts');
  const values = await exportsOf(listedFiles(app).filter(defines));
  return values.filter((value): value is ErrorDefinition => typeof value === 'function' && 'spec' in value).map(({ spec }) => spec);
}

/** How many events the product's `*.events.ts` define, and the names of those that the catalog does not have. */
export async function definedEvents(app: NestFastifyApplication): Promise<{ count: number; unknown: string[] }> {
  const known = new Set(
    app
      .get(ModuleRegistry)
      .events()
      .map(({ definition }) => definition),
  );
  const values = await exportsOf(listedFiles(app).filter((path) => path.endsWith('.events.ts')));
  const defined = new Set(values.filter((value): value is EventDefinition => isObject(value) && 'payload' in value && 'name' in value));
  return { count: defined.size, unknown: [...defined].filter((definition) => !known.has(definition)).map(({ name }) => name) };
}

/** The OpenAPI documents that the linters get. */
export async function lintedDocuments(): Promise<Record<'keyed' | 'product' | 'public', string>> {
  const documents = await describeApi(await modulesOfRun());
  return {
    keyed: documents.keyed.content().toString(),
    product: documents.product.content().toString(),
    public: documents.public.content().toString(),
  };
}

/** The tools of the OpenAPI document for keys, by module. */
export function toolMeasures(app: NestFastifyApplication, keyed: object): Promise<ModuleMeasure[]> {
  const guides = app.get(ModuleRegistry).manifests.map(({ name, title, guide }) => ({ module: name, title, text: guide }));
  return measureModules(buildCatalog(keyed as never), guides);
}

/** By tool, the output schemas that it may be listed and described with. */
export function toolOutputs(_app: NestFastifyApplication, keyed: object): Record<string, object[]> {
  const schemasOf = ({ output, definition }: CatalogTool) => [
    ...(output ? [JSON.parse(output.json) as object] : []),
    ...(definition.outputSchema ? [definition.outputSchema] : []),
  ];
  return Object.fromEntries(buildCatalog(keyed as never).tools.map((tool) => [tool.name, schemasOf(tool)]));
}

/** By tool that lists, the paths of the texts that a long page shortens. */
export function toolTexts(_app: NestFastifyApplication, keyed: object): Record<string, string[]> {
  return Object.fromEntries(buildCatalog(keyed as never).tools.map(({ name, texts }) => [name, [...texts]]));
}

/** The questions without a right tool among the first `limit` that search_tools finds: with a key of the module, or for all modules. */
export function unanswered(app: NestFastifyApplication, keyed: object, limit: number, sees: 'one module' | 'all modules'): string[] {
  const { tools, modules } = buildCatalog(keyed as never);
  const words = app.get(ModuleRegistry).manifests.map(({ name, agentWords }) => ({ module: name, ...agentWords }));
  const index = new SearchIndex(tools, new Vocabulary(words));
  return SEARCH_QUESTIONS.filter(([module]) => modules.includes(module))
    .filter(([module, question, right]) => {
      const visible = new Set(tools.filter((tool) => sees === 'all modules' || tool.module === module));
      return !index.search(question, visible, limit).some(({ name }) => right.split(' ').includes(name));
    })
    .map(([, question]) => question);
}

/** The scopes that the consent page marks, because calls with them delete, replace or end what exists, or reach outside. */
export function markedScopes(app: NestFastifyApplication): string[] {
  const all = [...app.get(ModuleRegistry).scopes().keys()];
  const offered = app.get(OfferedScopes, { strict: false }).of(all, new Set());
  return offered.flatMap(({ scopes }) => scopes.filter((one) => one.isDestructive || one.reachesOutside).map(({ scope }) => scope));
}

/** The annotations of the tools, by name. */
export function toolHints(_app: NestFastifyApplication, keyed: object): Record<string, Record<string, unknown>> {
  const { tools } = buildCatalog(keyed as never);
  return Object.fromEntries(tools.map(({ name, definition }) => [name, { ...definition.annotations }]));
}

/** The exported values of the files and the members of exported objects. */
async function exportsOf(files: readonly string[]): Promise<unknown[]> {
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(PROJECT_ROOT, file)).href) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) => Object.values(module)).flatMap((value) => [value, ...(isObject(value) ? Object.values(value) : [])]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import type { ErrorDefinition } from '../../src/kit/index.js';
import type { EventDefinition } from '../../src/kit/internal.js';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { ModuleRegistry } from '../../src/platform/registry/module-registry.js';
import { RouteRegistry, type Route } from '../../src/platform/registry/route-registry.js';
import { createTestApp, type TestApp } from '../kit/app.js';
import { OPERATIONS } from './operations.js';

const SCOPE = /^([a-z][a-z0-9_]*):[a-z][a-z0-9_]*:(read|write|delete|act|run)$/;
/** Paths that are served outside of controllers, with the reason why they need no declaration. */
const RAW_PATHS = [
  /^\/openapi(\.org)?\.json$/, // the OpenAPI documents
  /^\/docs(\/|$)/, // the documentation pages
  /^\/api\/v1\/ext\/mcp$/, // authenticates by itself, see mcp.routes.spec.ts
  /^\*$/, // unknown paths
];

let app: TestApp;
let routes: readonly Route[];
let registry: ModuleRegistry;

beforeAll(async () => {
  app = await createTestApp();
  ({ routes } = app.app.get(RouteRegistry));
  registry = app.app.get(ModuleRegistry);
});
afterAll(() => app.close());

describe('every route', () => {
  test('has @Endpoint or @Public', () => {
    const handlers = app.app
      .get(DiscoveryService, { strict: false })
      .getControllers()
      .flatMap(({ metatype }) => {
        const prototype = (metatype as { prototype: Record<string, object> }).prototype;
        return new MetadataScanner()
          .getAllMethodNames(prototype)
          .map((name) => prototype[name])
          .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler));
      });
    const undeclared = handlers.filter((handler) => {
      const route = app.app.get(RouteRegistry).of(handler);
      return !route || (!route.endpoint && route.publicReason === null);
    });
    expect(undeclared).toEqual([]);
    expect(handlers.length).toBe(routes.length);
  });

  test('that the server knows is declared or a known exception', () => {
    const declared = new Set(routes.map(({ path }) => path.replace(/\{([^}]+)\}/g, ':$1')));
    const known = (path: string) => declared.has(path) || RAW_PATHS.some((pattern) => pattern.test(path));
    const served = servedPaths(app);
    expect(served.filter((path) => !known(path))).toEqual([]);
    expect([...declared].filter((path) => !served.includes(path))).toEqual([]);
  });

  test('that is public has a reason', () => {
    const open = routes.filter(({ plane }) => plane === 'public');
    expect(open.filter(({ publicReason }) => (publicReason ?? '').split(' ').length < 4).map(({ path }) => path)).toEqual([]);
    expect(open.filter(({ path }) => path.startsWith('/api/v1/ext/'))).toEqual([]);
  });

  test('of a module is under its prefix and requires one of its scopes', () => {
    const wrong = routes.filter(({ module, plane, path, endpoint }) => {
      if (module === null || plane !== 'keyed') return false;
      const prefix = registry.manifests.find(({ name }) => name === module)?.prefix;
      return (
        !(path.startsWith(`/api/v1/ext/${prefix}/`) || path.startsWith('/api/v1/webhooks/')) || endpoint?.scope?.split(':')[0] !== prefix
      );
    });
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test('declares only errors of the catalog', () => {
    const catalog = registry.errors();
    const unknown = routes.flatMap(({ endpoint }) =>
      (endpoint?.errors ?? [])
        .filter(({ spec }) => !same(catalog.get(spec.code), spec))
        .map(({ spec }) => `${endpoint?.operation}: ${spec.code}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('every module', () => {
  test('names scopes as prefix:resource:verb', () => {
    const wrong = registry.manifests.flatMap(({ prefix, scopes }) =>
      Object.keys(scopes).filter((scope) => SCOPE.exec(scope)?.[1] !== prefix),
    );
    expect(wrong).toEqual([]);
  });

  test('has all required operations', () => {
    const operations = new Set(routes.map(({ endpoint }) => endpoint?.operation));
    const missing = registry.manifests.flatMap(({ prefix }) =>
      (OPERATIONS[prefix] ?? []).filter((operation) => !operations.has(operation)),
    );
    expect(missing).toEqual([]);
    expect(registry.manifests.filter(({ prefix }) => prefix in OPERATIONS).length).toBeGreaterThan(0);
  });

  test('calls describeModule in a test file of its folder', () => {
    const tests = sourceFiles('src')
      .filter((path) => path.endsWith('spec.ts'))
      .map(textOf);
    const names = registry.manifests.map(({ name }) => name);
    expect(names.filter((name) => !tests.some((text) => new RegExp(`await describeModule\\(.*, '${name}',`).test(text)))).toEqual([]);
  });
});

describe('the source', () => {
  test('defines no error outside the catalog', async () => {
    const files = sourceFiles('src').filter(
      (path) => !path.endsWith('spec.ts') && /\bdefineErrors\(/.test(textOf(path)) && !path.endsWith('kit/errors.ts'),
    );
    const catalog = registry.errors();
    const defined = (await exportsOf(files)).filter((value): value is ErrorDefinition => typeof value === 'function' && 'spec' in value);
    expect(defined.filter(({ spec }) => !same(catalog.get(spec.code), spec)).map(({ spec }) => spec.code)).toEqual([]);
    expect(defined.length).toBeGreaterThan(25);
  });

  test('defines errors only with defineErrors', () => {
    const literal = /type: '[a-z_]+_error'[^}]*status: \d{3}/;
    const stray = sourceFiles('src')
      .filter((path) => !path.endsWith('spec.ts'))
      .filter((path) => literal.test(textOf(path)) && !/\bdefineErrors\(/.test(textOf(path)));
    expect(stray).toEqual([]);
  });

  test('throws no HTTP exceptions', () => {
    expect(
      sourceFiles('src').filter(
        (path) =>
          !path.endsWith('spec.ts') &&
          /throw new \w*(Http|BadRequest|NotFound|Forbidden|Unauthorized|Conflict)\w*Exception/.test(textOf(path)),
      ),
    ).toEqual([]);
  });

  test('defines no event outside the catalog', async () => {
    const files = sourceFiles('src').filter((path) => path.endsWith('.events.ts'));
    const known = new Set(registry.events().map(({ definition }) => definition));
    const defined = new Set(
      (await exportsOf(files)).filter((value): value is EventDefinition => isObject(value) && 'payload' in value && 'name' in value),
    );
    expect([...defined].filter((definition) => !known.has(definition)).map(({ name }) => name)).toEqual([]);
    expect(defined.size).toBe(known.size);
    const elsewhere = sourceFiles('src').filter(
      (path) =>
        !path.endsWith('.events.ts') && !path.endsWith('spec.ts') && !path.includes('/kit/') && /\bdefineEvents\(/.test(textOf(path)),
    );
    expect(elsewhere).toEqual([]);
  });
});

function servedPaths({ app: { getHttpAdapter } }: TestApp): string[] {
  const tree = (getHttpAdapter.call(app.app).getInstance() as unknown as { printRoutes(options: object): string }).printRoutes({
    commonPrefix: false,
  });
  const above: string[] = [];
  return tree
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, indent, part] = /^([│ ]*)[├└]── (\S+)/.exec(line) as RegExpExecArray;
      const depth = indent.length / 4;
      above.length = depth;
      above.push((above[depth - 1] ?? '') + part);
      return above[depth];
    });
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function textOf(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8');
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

function same(
  one: { code: string; type: string; status: number } | undefined,
  other: { code: string; type: string; status: number },
): boolean {
  return one !== undefined && one.type === other.type && one.status === other.status;
}

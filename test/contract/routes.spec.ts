import { DEVELOPER } from '../../src/platform/keys/scope-catalog.js';
import { describe, expect, test } from '@jest/globals';
import { sharedApp } from '../harness/hosted-app.js';
import { contractsOf } from './module-contract.js';
import { productFiles, sourceFiles, textOf } from './source-files.js';

const SCOPE = /^([a-z][a-z0-9_]*):[a-z][a-z0-9_]*:(read|write|delete|act|run)$/;
/** Paths that are served outside of controllers, with the reason why they need no declaration. */
const RAW_PATHS = [
  /^\/openapi(\.(org|public)|\/\w+)?\.json$/, // the OpenAPI documents
  /^\/client\.tgz$/, // the typed client
  /^\/triggers\.json$/, // what `work-suite trigger` calls to cause an event
  /^\/docs(\.md|\/|$)/, // the documentation pages
  /^\/llms(-full)?\.txt$/, // the same for agents
  /^\/api\/v1\/ext\/mcp$/, // authenticates by itself, see mcp.routes.spec.ts
  /^\/oauth\/(authorize|token|revoke|register)$/, // the authorization server, which OAuth clients call without a key
  /^\/\.well-known\/oauth-(protected-resource|authorization-server)\*?$/, // OAuth discovery
  /^(\/console)?\*$/, // unknown paths
];

const app = await sharedApp();
const product = app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts');
const { routes, modules, errors, events } = await product.declarations();
const contracts = await contractsOf(modules);

describe('every route', () => {
  test('has @Endpoint or @Public', async () => {
    expect(await product.handlers()).toEqual({ count: routes.length, undeclared: [] });
  });

  test('that the server knows is declared or a known exception', async () => {
    const declared = new Set(routes.map(({ path }) => pathInTree(path)));
    const known = (path: string) => declared.has(path) || RAW_PATHS.some((pattern) => pattern.test(path));
    const served = servedPaths(await product.routeTree());
    expect(served.filter((path) => !known(path))).toEqual([]);
    expect([...declared].filter((path) => !served.includes(path))).toEqual([]);
  });

  test('that is public has a reason', () => {
    const open = routes.filter(({ plane }) => plane === 'public');
    expect(open.filter(({ publicReason }) => (publicReason ?? '').split(' ').length < 4).map(({ path }) => path)).toEqual([]);
    expect(open.filter(({ path }) => path.startsWith('/api/v1/ext/'))).toEqual([]);
  });

  test('of a module is under its prefix and requires one of its scopes', () => {
    const wrong = routes.filter(({ module, plane, path, scope }) => {
      if (module === null || plane !== 'keyed') return false;
      const prefix = modules.find(({ name }) => name === module)?.prefix;
      return !(path.startsWith(`/api/v1/ext/${prefix}/`) || path.startsWith('/api/v1/webhooks/')) || scope?.split(':')[0] !== prefix;
    });
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test('names minor units when it refuses an amount', async () => {
    // credits for AI are no money
    expect(await product.undeclaredAmounts()).toEqual(['GrantAiCreditsDto.amount']);
  });

  test('declares only errors of the catalog', () => {
    const unknown = routes.flatMap((route) =>
      route.errors.filter((spec) => !errors.some((known) => same(known, spec))).map((spec) => `${route.operation}: ${spec.code}`),
    );
    expect(unknown).toEqual([]);
  });
});

/** Those of the platform's own module, by the names of the operations for members. */
const OF_DEVELOPER = {
  list_recent_events: ['list_developer_events'],
  stream_recent_events: ['list_developer_events'],
  list_developer_endpoints: ['list_webhook_endpoints'],
  get_developer_endpoint: ['get_webhook_endpoint'],
  create_developer_endpoint: ['create_webhook_endpoint'],
  update_developer_endpoint: ['update_webhook_endpoint'],
  delete_developer_endpoint: ['delete_webhook_endpoint'],
  roll_developer_endpoint_secret: ['roll_webhook_secret'],
  test_developer_endpoint: ['send_test_event'],
  list_developer_deliveries: ['list_deliveries'],
};

describe('every keyed operation', () => {
  const keyed = routes.filter(({ plane }) => plane === 'keyed').map(({ operation }) => operation as string);
  const ofMembers = new Set(routes.filter(({ plane }) => plane === 'product').map(({ operation }) => operation as string));
  const sameName = (operation: string) => operation.replace('_', '_org_');
  const declared = [...contracts.values()];
  const otherNames = Object.assign({}, OF_DEVELOPER, ...declared.map(({ memberOperations }) => memberOperations)) as Record<
    string,
    string[]
  >;
  /** A context is for agents: several look-ups at once, which members call one by one. */
  const contexts = modules.map(({ name }) => `get_${name}_context`).filter((operation) => keyed.includes(operation));
  const withoutRoute = [...contexts, ...declared.flatMap(({ withoutMemberOperation = {} }) => Object.keys(withoutMemberOperation))];

  test('has a route for members or a reason why not', () => {
    const lacking = keyed.filter((operation) => {
      const names = otherNames[operation] ?? [sameName(operation)];
      return !withoutRoute.includes(operation) && !names.every((name) => ofMembers.has(name));
    });
    expect(lacking).toEqual([]);
    expect(keyed.length).toBeGreaterThan(50);
  });

  test('is an exception only while it needs to be', () => {
    const listed = [...Object.keys(otherNames), ...withoutRoute];
    expect(listed.filter((operation) => !keyed.includes(operation) || ofMembers.has(sameName(operation)))).toEqual([]);
  });
});

describe('every module', () => {
  test('names scopes as prefix:resource:verb', () => {
    const wrong = modules.flatMap(({ prefix, scopes }) => Object.keys(scopes).filter((scope) => SCOPE.exec(scope)?.[1] !== prefix));
    expect(wrong).toEqual([]);
  });

  test('has all required operations', () => {
    const operations = new Set(routes.map(({ operation }) => operation));
    const required = [...contracts.values()].flatMap(({ operations: text = '' }) => text.split(/\s+/).filter(Boolean));
    expect(required.filter((operation) => !operations.has(operation))).toEqual([]);
    expect(required.length).toBeGreaterThan(0);
  });

  test('calls describeModule in a test file of its folder', () => {
    const tests = sourceFiles()
      .filter((path) => path.endsWith('spec.ts'))
      .map(textOf);
    // the platform's own module is no folder of src/modules: src/platform/webhooks/webhooks.e2e-spec.ts tries its keys
    const names = modules.map(({ name }) => name).filter((name) => name !== DEVELOPER);
    expect(names.filter((name) => !tests.some((text) => new RegExp(`await describeModule\\(.*, '${name}',`).test(text)))).toEqual([]);
  });
});

describe('the source', () => {
  test('defines no error outside the catalog', async () => {
    const defined = await product.definedErrors();
    expect(defined.filter((spec) => !errors.some((known) => same(known, spec))).map(({ code }) => code)).toEqual([]);
    expect(defined.length).toBeGreaterThan(25);
  });

  test('defines errors only with defineErrors', () => {
    const literal = /type: '[a-z_]+_error'[^}]*status: \d{3}/;
    const stray = productFiles().filter((path) => literal.test(textOf(path)) && !/\bdefineErrors\(/.test(textOf(path)));
    expect(stray).toEqual([]);
  });

  test('throws no HTTP exceptions', () => {
    expect(
      productFiles().filter((path) =>
        /throw new \w*(Http|BadRequest|NotFound|Forbidden|Unauthorized|Conflict)\w*Exception/.test(textOf(path)),
      ),
    ).toEqual([]);
  });

  test('defines no event outside the catalog', async () => {
    expect(await product.definedEvents()).toEqual({ count: events.length, unknown: [] });
    const elsewhere = productFiles().filter(
      (path) => !path.endsWith('.events.ts') && !path.includes('/kit/') && /\bdefineEvents\(/.test(textOf(path)),
    );
    expect(elsewhere).toEqual([]);
  });
});

/** The tree shows a path that ends with a wildcard without what precedes it. */
function pathInTree(path: string): string {
  return path.endsWith('/*') ? '/*' : path.replace(/\{([^}]+)\}/g, ':$1');
}

function servedPaths(tree: string): string[] {
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

function same(
  one: { code: string; type: string; status: number } | undefined,
  other: { code: string; type: string; status: number },
): boolean {
  return one !== undefined && one.type === other.type && one.status === other.status;
}

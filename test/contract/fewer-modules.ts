import type { Type } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConsolePage } from '../../src/kit/index.js';
import { isEventStream, manifestOf, scheduledJobOf, type Manifest } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { PageTable } from '../../src/console/frame/page-table.js';
import { RouteRegistry, type Plane, type Route } from '../../src/platform/registry/route-registry.js';
import type { Json } from '../harness/api-document.js';
import { createTestApp, type TestApp } from '../harness/app.js';
import type { Client } from '../harness/client.js';
import { Demo } from '../harness/demo.js';
import { signIn } from '../harness/workspace.js';

const MCP = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
const DOCUMENTS = { keyed: '/openapi.json', product: '/openapi.org.json', public: '/openapi.public.json' };

/** Which of several parts that together are all. */
export interface Part {
  index: number;
  count: number;
}

/**
 * The tests that the application passes with some of the product's modules: it serves these as before, with the data of their demo.
 * `part`: of the pages of the platform, which name no module, only those are opened.
 */
export function describeModules(title: string, modules: readonly Type[], part: Part = { index: 0, count: 1 }): void {
  describe(title, () => testModules(modules, part));
}

function testModules(modules: readonly Type[], part: Part): void {
  const manifests = modules.map(manifestOf);
  const removed = MODULES.filter((module) => !modules.includes(module)).map(manifestOf);
  let app: TestApp;
  let demo: Demo;
  let owner: Client;
  const failedJobs: string[] = [];

  beforeAll(async () => {
    // without workers, which would typeset the documents of each demo
    app = await createTestApp({ modules, env: { APP_ROLE: 'api', DATABASE_POOL_SIZE: '2' } });
    // while there is nothing to do
    for (const job of jobsOf(manifests))
      await app.runScheduledJob(job).catch((error: Error) => failedJobs.push(`${job}: ${error.message}`));
    demo = new Demo(app);
    await demo.start();
    const { email, password } = demo.facts().members.find(({ role }) => role === 'owner')!;
    owner = await signIn(app.url, { email, password });
  });
  afterAll(async () => {
    demo.deleteFolder();
    await app.close();
  });

  const routesOf = (plane: Plane) => app.app.get(RouteRegistry).routes.filter((route) => route.plane === plane);
  const ends = ({ endpoint }: Route) => endpoint === null || !isEventStream(endpoint);
  const readable = (plane: Plane) => routesOf(plane).filter((route) => route.method === 'GET' && !route.path.includes('{') && ends(route));

  test('the demo has the parts of all modules', async () => {
    const { rows } = await app.sql.query<{ series: string }>(`SELECT series FROM counters WHERE series LIKE 'demo:_%'`);
    const parts = manifests.filter(({ demo: part }) => part).map((manifest) => `demo:${manifest.name}`);
    expect(rows.map(({ series }) => series).toSorted()).toEqual(parts.toSorted());
  });

  test('their scheduled jobs run, and none of other modules', async () => {
    expect(failedJobs).toEqual([]);
    for (const job of jobsOf(removed)) await expect(app.runScheduledJob(job)).rejects.toThrow();
  });

  test('nothing of other modules is served, documented or offered to roles', async () => {
    const permissions = (await owner.get('/api/v1/org/permissions?limit=100')).body.data.map(
      (permission: { name: string }) => permission.name,
    );
    for (const [plane, path] of Object.entries(DOCUMENTS)) {
      const { text, body } = await owner.get(path);
      for (const { prefix } of removed) expect(text).not.toMatch(new RegExp(`"/api/v1/(?:ext|org|public)/${prefix}/`));
      expect(referenceFaults(body, text)).toEqual([]);
      const declared = routesOf(plane as Plane).filter(({ module }) => module !== null);
      expect(operationsOf(body)).toEqual(expect.arrayContaining(declared.flatMap(({ endpoint }) => endpoint?.operation ?? [])));
    }
    for (const { permissions: own = {} } of removed) expect(permissions.filter((permission: string) => permission in own)).toEqual([]);
    expect(permissions).toEqual(expect.arrayContaining(manifests.flatMap(({ permissions: own = {} }) => Object.keys(own))));
  });

  test('every route that reads without an id answers', async () => {
    const failed: string[] = [];
    await each(
      readable('product').filter(({ module }) => module !== null),
      async ({ path }) => {
        const { status } = await owner.get(path);
        if (status >= 500) failed.push(`${path} ${status}`);
      },
    );
    for (const { name: module, title } of manifests) {
      const client = demo.key(`${title}, test, full`);
      await each(
        // the others have a twin for members
        readable('keyed').filter((route) => route.module === module && !route.endpoint?.member),
        async ({ path }) => {
          const { status } = await client.get(path);
          if (status >= 500) failed.push(`${path} ${status}`);
        },
      );
      const tools = await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, MCP);
      if (tools.status !== 200 || tools.body.result.tools.length === 0) failed.push(`tools of ${module} ${tools.status}`);
    }
    expect(failed).toEqual([]);
  });

  test('every page of the console opens, but those of other modules', async () => {
    const failed: string[] = [];
    const open = (pages: readonly ConsolePage[], wanted: number[]) =>
      each(
        pages.filter(({ path }) => !path.includes(':')),
        async ({ path }) => {
          const { status, text } = await owner.get(`/console${path}`);
          if (!wanted.includes(status)) failed.push(`${path} ${status}: ${text.slice(0, 200)}`);
        },
      );
    const own = new Set(manifests.flatMap(({ pages = [] }) => pages.map(({ path }) => path)));
    const { pages } = app.app.get(PageTable);
    const ofPlatform = pages.filter(({ path }) => !own.has(path)).filter((_, at) => at % part.count === part.index);
    await open([...pages.filter(({ path }) => own.has(path)), ...ofPlatform], [200, 303]);
    // one of each: no page is found but by the table
    await open(
      removed.flatMap(({ pages = [] }) => pages.slice(0, 1)),
      [404],
    );
    expect(failed).toEqual([]);
  });
}

function jobsOf(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap(({ scheduledJobs = [] }) => scheduledJobs.map((job) => scheduledJobOf(job).name));
}

/** Several at a time, so that the database and the application do not wait for each other. */
async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all([next(), next(), next(), next()]);
}

/** Of a document; those that serve sign-in are in it, too, and belong to no plane. */
function operationsOf({ paths }: { paths: Record<string, Json> }): string[] {
  return Object.values(paths).flatMap((item) => (Object.values(item) as { operationId: string }[]).map(({ operationId }) => operationId));
}

/** References of a document to components that it does not have. */
function referenceFaults(document: Json, text: string): string[] {
  const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path));
  return [...references].filter(
    (path) => path.split('/').reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document) === undefined,
  );
}

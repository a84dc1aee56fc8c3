import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { manifestOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { PageTable } from '../../src/console/frame/page-table.js';
import { PAGES } from '../../src/console/pages.js';
import { RouteRegistry } from '../../src/platform/registry/route-registry.js';
import { createTestApp, type TestApp } from '../harness/app.js';
import type { Client } from '../harness/client.js';
import { modulesWithout } from '../harness/module-list.js';
import type { Workspace } from '../harness/workspace.js';

const NAMES = MODULES.map((module) => manifestOf(module).name);
const MCP = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };

/** The application without the line of one module serves the rest as before. */
describe.each(NAMES)('without the module %s', (name) => {
  const modules = modulesWithout(name);
  const removed = NAMES.filter((each) => !modules.some((module) => manifestOf(module).name === each));
  let app: TestApp;
  let space: Workspace;
  let owner: Client;

  beforeAll(async () => {
    app = await createTestApp({ modules });
    space = await app.workspace();
    owner = await space.signIn();
  });
  afterAll(() => app.close());

  const routesOf = (plane: 'keyed' | 'product') =>
    app.app.get(RouteRegistry).routes.filter((route) => route.plane === plane && route.method === 'GET' && !route.path.includes('{'));

  test('nothing of it is served, documented or offered to roles', async () => {
    const manifests = MODULES.map(manifestOf).filter((manifest) => removed.includes(manifest.name));
    const openapi = JSON.stringify((await owner.get('/openapi.json')).body);
    const permissions = (await owner.get('/api/v1/org/permissions?limit=100')).body.data.map(
      (permission: { name: string }) => permission.name,
    );
    for (const { prefix, permissions: own = {} } of manifests) {
      expect(openapi).not.toContain(`/api/v1/ext/${prefix}/`);
      expect(permissions.filter((permission: string) => permission in own)).toEqual([]);
    }
    expect(permissions.length).toBeGreaterThan(20);
  });

  test('every route that reads without an id answers', async () => {
    const failed: string[] = [];
    for (const { path } of routesOf('product')) {
      const { status } = await owner.get(path);
      if (status >= 500) failed.push(`${path} ${status}`);
    }
    for (const { name: module } of modules.map(manifestOf)) {
      const { client } = await space.key({ module, project_id: space.eng.id });
      for (const route of routesOf('keyed').filter((each) => each.module === module)) {
        const { status } = await client.get(route.path);
        if (status >= 500) failed.push(`${route.path} ${status}`);
      }
      const tools = await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, MCP);
      if (tools.status !== 200 || tools.body.result.tools.length === 0) failed.push(`tools of ${module} ${tools.status}`);
    }
    expect(failed).toEqual([]);
  });

  test('every page of the console opens, but those about it', async () => {
    const table = app.app.get(PageTable);
    const failed: string[] = [];
    for (const page of PAGES.filter(({ path }) => !path.includes(':'))) {
      const { status, text } = await owner.get(`/console${page.path}`);
      const wanted = removed.includes(page.module ?? '') ? [404] : [200, 303];
      if (!wanted.includes(status)) failed.push(`${page.path} ${status}: ${text.slice(0, 200)}`);
    }
    expect(failed).toEqual([]);
    expect(table.pages.filter(({ module }) => removed.includes(module ?? ''))).toEqual([]);
  });
});

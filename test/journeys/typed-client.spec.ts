import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { Books, ORG_ACCOUNTING } from '../../src/modules/accounting/testing/accounting-fixture.js';
import { sharedApp } from '../harness/hosted-app.js';
import { makeStocked, openShop } from '../../src/modules/storefront/testing/storefront-fixture.js';

const run = promisify(execFile);
const SLOW = 120_000;

const app = await sharedApp();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'work-suite-client-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs Node in the client's folder. */
async function node(...args: string[]): Promise<string> {
  try {
    return (await run(process.execPath, args, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}

const bin = (path: string) => join(PROJECT_ROOT, 'node_modules', path);

/** Compiles a file of the client's folder strictly. */
async function compile(file: string, ...options: string[]): Promise<void> {
  await node(bin('typescript-native/bin/tsc'), '--singleThreaded', '--strict', '--skipLibCheck', '--target', 'es2024', ...options, file);
}

test.each(['openapi', 'openapi.public'])(
  'a client that @hey-api/openapi-ts generates from %s.json compiles',
  async (name) => {
    await node(bin('@hey-api/openapi-ts/bin/run.js'), '--input', `${app.url}/${name}.json`, '--output', name, '--silent', '--no-log-file');
    await compile(join(name, 'index.ts'), '--noEmit', '--module', 'preserve', '--lib', 'es2024,dom,dom.iterable', '--types', '');
    expect(readFileSync(join(folder, name, 'types.gen.ts'), 'utf8')).toMatch(/^export type (Task|PublicSlot)List = \{/m);
  },
  SLOW,
);

test(
  'a client generated from the OpenAPI document compiles and works',
  async () => {
    cpSync(join(PROJECT_ROOT, 'test', 'journeys', 'typed-journey.ts.tmpl'), join(folder, 'journey.ts'));
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    await node(bin('openapi-typescript/bin/cli.js'), `${app.url}/openapi.json`, '--output', 'api.ts');
    await compile('journey.ts', '--module', 'nodenext', '--types', 'node', '--outDir', 'out');

    const script = JSON.stringify(pathToFileURL(join(folder, 'out', 'journey.js')).href);
    const call = async (name: string, ...args: string[]) => {
      const code = `
        const journeys = await import(${script});
        console.log(JSON.stringify(await journeys.${name}(...process.argv.slice(1))));`;
      return JSON.parse(await node('--input-type=module', '--eval', code, app.url, ...args)) as unknown;
    };
    const workspace = await app.workspace();
    const { secret } = await workspace.key({ module: 'tasks' });
    expect(await call('journey', secret)).toEqual({
      key: 'OPS-1',
      created: 201,
      assignees: 1,
      comment: 'Acme asked for the order number.',
      completed: 'completed',
      total: 1,
      rejected: ['validation_failed', 'priority', ['none', 'low', 'medium', 'high', 'urgent']],
      deleted: 204,
      gone: 'not_found',
    });

    const shop = await openShop(workspace);
    const { project, screen } = await Books.open(app, { workspace });
    await screen.post(`${ORG_ACCOUNTING}/tax-rates`, { project_id: project, code: 'S19', name: 'VAT', rate: '19', category: 'S' });
    await screen.patch(`${ORG_ACCOUNTING}/settings/${project}`, { order_invoicing: 'paid' });
    const { variantId } = await makeStocked(shop, project, 'CHAIR-1', { price: 12_900 });
    const [shopKey, booksKey] = await Promise.all(['storefront', 'accounting'].map((module) => workspace.key({ module })));
    expect(await call('order', shopKey.secret, booksKey.secret, variantId)).toEqual({
      total: 26_290,
      repeated: 'duplicate',
      shipped: ['completed', 'paid', 'fulfilled'],
      invoice: ['paid', 26_290, 0],
    });
  },
  SLOW,
);

// npm run bench:documents [-- --rounds 5 --seconds 4 --only list --rows 1000000]
// Compares documents with the bare frameworks (the floor), and large tables with small ones.
import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { newDataDir } from '../harness/data-dir.js';
import { queryOnce } from '../../src/platform/persistence/connections/query-once.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { databaseUrl, onServer } from '../harness/database-server.js';
import { cpuOfPostgres } from './cpu.js';
import { copyDocuments, createTenants, documentBody, seedFloorDocuments, settle, type DocumentTenant } from './documents-seed.js';
import { KEYS } from './floor-keys.js';
import { compare, load, withAndWithoutKey, type Workload } from './load.js';
import { printComparison, printHeading, type ReportLine } from './report.js';
import { MEASURED_SETTINGS, buildFloor, OURS, startServer, type Server } from './server.js';

const FEW = 1_000;
const PAGE = 25;
const SAMPLE = 200;
/** More documents than all rounds can submit or approve. */
const MOVES = 100_000;
const POOL = 10;
const PAPERS = '/api/v1/ext/papers';
const SOME_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
  },
});
const MANY = Number(asked.rows);

interface Comparison extends ReportLine {
  base: Workload;
  ours: Workload;
}

const dataDir = newDataDir('bench-documents');
const postgres = await startEmbeddedPostgres(dataDir);
const running: Server[] = [];
try {
  await measure();
} finally {
  for (const server of running) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const [floorUrl, oursUrl] = [await createDatabase('floor'), await createDatabase('ours')];
  const oursEnv = { ...MEASURED_SETTINGS, DATABASE_URL: oursUrl, DATA_DIR: dataDir };
  const floor = await started(buildFloor('floor-documents'), { DATABASE_URL: floorUrl });
  await queryOnce({ connectionString: floorUrl }, KEYS);
  // the first start creates the tables
  await (await startServer(OURS, oursEnv)).stop();
  const [few, many, moving] = await createTenants(oursUrl, oursEnv, 3);
  const ours = await started(OURS, oursEnv);
  const floorIds = await seedFloorDocuments(floorUrl, FEW);
  const ids = await copyDocuments(oursUrl, ours, few, { count: FEW, submitted: true, named: SAMPLE });
  await copyDocuments(oursUrl, ours, many, { count: MANY, submitted: true, named: 0 });
  const drafts = await copyDocuments(oursUrl, ours, moving, { count: MOVES, submitted: false, named: MOVES });
  const pending = await copyDocuments(oursUrl, ours, moving, { count: MOVES, submitted: true, named: MOVES });
  await Promise.all([settle(oursUrl), settle(floorUrl)]);
  await openConnections(floor, '/documents', {});
  await openConnections(ours, `${PAPERS}/documents`, few.headers);

  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  printHeading('base: the floor, or the product with 1,000 documents (ratio of CPU time then)');
  const database = cpuOfPostgres(dataDir);
  for (const workload of comparisons({ floor, floorIds, ours, few, many, moving, ids, drafts, pending }).filter(({ name }) =>
    name.includes(asked.only),
  )) {
    printComparison(
      workload,
      await compare(workload.base, workload.ours, database, { rounds: Number(asked.rounds), seconds: Number(asked.seconds) }),
    );
  }
  console.log(`\nload average ${load()}`);
}

interface Subjects {
  floor: Server;
  floorIds: readonly string[];
  ours: Server;
  few: DocumentTenant;
  many: DocumentTenant;
  moving: DocumentTenant;
  ids: readonly string[];
  drafts: readonly string[];
  pending: readonly string[];
}

function comparisons({ floor, floorIds, ours, few, many, moving, ids, drafts, pending }: Subjects): Comparison[] {
  const json = { 'content-type': 'application/json' };
  const floorList: Workload = {
    server: floor,
    requests: [{ path: '/documents' }],
    isExpected: (body) => (body as unknown[]).length === PAGE,
  };
  const list = (path: string, { headers }: DocumentTenant): Workload => ({
    server: ours,
    headers,
    requests: [{ path: `${PAPERS}${path}?limit=${PAGE}` }],
    isExpected: isPage,
  });
  const floorBody = JSON.stringify({ ...documentBody({ projectId: SOME_ID }), organization_id: SOME_ID, type_id: SOME_ID });
  const floorMove: Workload = {
    server: floor,
    headers: json,
    requests: floorIds.map((id) => ({ method: 'POST', path: `/documents/${id}/move`, body: '{}' })),
    isExpected: hasId,
  };
  const floorDecide = {
    ...floorMove,
    requests: floorIds.map((id) => ({ method: 'POST' as const, path: `/recorded/${id}/decide`, body: '{}' })),
  };
  const floorCreate = (path: string): Workload => ({
    server: floor,
    headers: json,
    requests: [{ method: 'POST', path, body: floorBody }],
    isExpected: hasId,
  });
  const create: Workload = {
    server: ours,
    headers: moving.headers,
    requests: [{ method: 'POST', path: `${PAPERS}/documents`, body: JSON.stringify(documentBody(moving)) }],
    isExpected: hasId,
  };
  const decide: Workload = {
    server: ours,
    headers: moving.approverHeaders,
    requests: [{ method: 'PATCH', path: '/', body: JSON.stringify({ action: 'APPROVE', approver_email: moving.approver }) }],
    nextPath: pathsOf(pending, '/workflow/status'),
    isExpected: isIn('approved'),
  };
  const rows = MANY.toLocaleString('en');
  return [
    {
      name: 'read by id',
      goal: 0.95,
      base: { server: floor, requests: floorIds.map((id) => ({ path: `/documents/${id}` })), isExpected: hasId },
      ours: { server: ours, headers: few.headers, requests: ids.map((id) => ({ path: `${PAPERS}/documents/${id}` })), isExpected: hasId },
    },
    {
      // drafts have no decisions that would be read with them
      name: 'read a draft by id',
      goal: 0.95,
      base: { server: floor, requests: floorIds.map((id) => ({ path: `/documents/${id}` })), isExpected: hasId },
      ours: {
        server: ours,
        headers: moving.headers,
        requests: drafts.slice(-SAMPLE).map((id) => ({ path: `${PAPERS}/documents/${id}` })),
        isExpected: hasId,
      },
    },
    {
      name: 'read by id / the same rows',
      goal: null,
      base: { server: floor, requests: floorIds.map((id) => ({ path: `/submitted/${id}` })), isExpected: hasId },
      ours: { server: ours, headers: few.headers, requests: ids.map((id) => ({ path: `${PAPERS}/documents/${id}` })), isExpected: hasId },
    },
    { name: 'list 25 of 1,000', goal: 0.9, base: floorList, ours: list('/documents', few) },
    {
      name: 'list 25 of 1,000 / the same rows',
      goal: null,
      base: { ...floorList, requests: [{ path: '/submitted' }] },
      ours: list('/documents', few),
    },
    { name: `list of ${rows} / of 1,000`, goal: 0.95, byCost: true, base: list('/documents', few), ours: list('/documents', many) },
    { name: 'pending approvals of 1,000', goal: null, base: floorList, ours: list('/approvals/pending', few) },
    {
      name: `pending of ${rows} / of 1,000`,
      goal: 0.95,
      byCost: true,
      base: list('/approvals/pending', few),
      ours: list('/approvals/pending', many),
    },
    ...withAndWithoutKey({ name: 'create', goal: 0.7, base: floorCreate('/documents'), ours: create }),
    { name: 'create / the same rows', goal: null, base: floorCreate('/recorded'), ours: create },
    {
      name: 'submit / read and update',
      goal: null,
      base: floorMove,
      ours: {
        server: ours,
        headers: moving.headers,
        requests: [{ method: 'POST', path: '/', body: '{}' }],
        nextPath: pathsOf(drafts, '/submit'),
        isExpected: isIn('in_approval'),
      },
    },
    { name: 'approve / read and update', goal: 0.6, base: floorMove, ours: decide },
    { name: 'approve / the same rows', goal: null, base: floorDecide, ours: decide },
  ];
}

/** Returns each document's path once, because a document can be moved only once. */
function pathsOf(ids: readonly string[], action: string): () => string {
  let next = 0;
  return () => {
    if (next === ids.length) throw new Error(`All ${ids.length} documents were used; run fewer rounds.`);
    return `${PAPERS}/documents/${ids[next++]}${action}`;
  };
}

function hasId(body: unknown): boolean {
  return typeof (body as { id?: unknown }).id === 'string';
}

function isIn(state: string): (body: unknown) => boolean {
  return (body) => (body as { state?: unknown }).state === state;
}

function isPage(body: unknown): boolean {
  const { object, data, has_more } = body as { object: unknown; data: unknown[]; has_more: unknown };
  return object === 'list' && data.length === PAGE && data.every(hasId) && has_more === true;
}

/** Opens all database connections of a server up front, so that their CPU time is counted. */
async function openConnections({ url }: Server, path: string, headers: Record<string, string>): Promise<void> {
  await Promise.all(Array.from({ length: POOL * 5 }, () => fetch(url + path, { headers }).then((response) => response.text())));
}

async function createDatabase(name: string): Promise<string> {
  await onServer(postgres.url, `CREATE DATABASE ${name}`);
  return databaseUrl(postgres.url, name);
}

async function started(file: string, env: Record<string, string>): Promise<Server> {
  const server = await startServer(file, env);
  running.push(server);
  return server;
}

import { withAndWithoutKey, type Workload } from './load.js';
import type { ReportLine } from './report.js';
import type { Seeded } from './seed.js';
import type { Server } from './server.js';

const DEEP_PAGE = 1_000;
const PAGE = 25;
const STRIDE = 75;
/** The goal against our own read times the goal of that read. */
const TOOL_CALL_TO_FLOOR = 0.8 * 1.3;

export interface Comparison extends ReportLine {
  base: Workload;
  ours: Workload;
}

export interface Subjects {
  floor: { server: Server; taskIds: readonly string[] };
  ours: { server: Server; small: Seeded; deep: Seeded; deepRows: number };
}

/** The compared workloads. */
export async function comparisons({ floor, ours }: Subjects): Promise<Comparison[]> {
  const { server, small, deep } = ours;
  const floorRead: Workload = { server: floor.server, requests: floor.taskIds.map((id) => ({ path: `/tasks/${id}` })), isExpected: hasId };
  const floorList: Workload = {
    server: floor.server,
    requests: [{ path: '/tasks' }],
    isExpected: (body) => (body as unknown[]).length === PAGE,
  };
  const ourRead = readById(server, small);
  const ourList = (seeded: Seeded, query = ''): Workload => ({
    ...keyed(server, seeded),
    requests: [{ path: `/api/v1/ext/tasks/tasks?limit=${PAGE}${query}` }],
    isExpected: isPage,
  });
  const ourToolCall = mcp(
    server,
    small,
    small.taskIds.map((id) => ['tools/call', { name: 'get_task', arguments: { id } }]),
    isToolResult,
  );
  const cursor = await cursorOfPage(server, deep, DEEP_PAGE);
  const rows = ours.deepRows.toLocaleString('en');
  return [
    { name: 'read by id', base: floorRead, ours: ourRead, goal: 1.3 },
    { name: 'list 25 of 10,000', base: floorList, ours: ourList(small), goal: 1 },
    { name: `list 25 of ${rows}`, base: floorList, ours: ourList(deep), goal: 1 },
    { name: `page 1,000 of ${rows}`, base: floorList, ours: ourList(deep, `&cursor=${cursor}`), goal: 1 },
    { name: 'MCP get_task / own read', base: ourRead, ours: ourToolCall, goal: 0.8 },
    // unlike the ratio to our own read, this one does not fall when reads become faster
    { name: 'MCP get_task / floor read', base: floorRead, ours: ourToolCall, goal: TOOL_CALL_TO_FLOOR },
    { name: 'MCP tools/list / own read', base: ourRead, ours: mcp(server, small, [['tools/list', {}]], isToolList), goal: 1 },
    ...withAndWithoutKey({ name: 'create, 6 fields', base: floorCreate(floor.server), ours: ourCreate(server, small), goal: 0.8 }),
  ];
}

/** Tasks by their ids. */
export function readById(server: Server, seeded: Seeded): Workload {
  const requests = seeded.taskIds.map((id) => ({ path: `/api/v1/ext/tasks/tasks/${id}` }));
  return { ...keyed(server, seeded), requests, isExpected: hasId };
}

function keyed(server: Server, { authorization }: Seeded): Pick<Workload, 'server' | 'headers'> {
  return { server, headers: { authorization } };
}

const FIELDS = {
  title: 'Send the October invoice to Acme',
  description: 'Net 30, purchase order 4711.',
  priority: 'high',
  due_on: '2026-11-30',
};
const SOME_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';
const JSON_TYPE = { 'content-type': 'application/json' };

/** Tasks with six fields. */
export function ourCreate(server: Server, seeded: Seeded): Workload {
  const body = JSON.stringify({ ...FIELDS, project_id: seeded.projectId, status_id: seeded.statusId });
  return {
    server,
    headers: { authorization: seeded.authorization, ...JSON_TYPE },
    requests: [{ method: 'POST', path: '/api/v1/ext/tasks/tasks', body }],
    isExpected: hasId,
  };
}

function floorCreate(server: Server): Workload {
  const body = JSON.stringify({ ...FIELDS, project_id: SOME_ID, status_id: SOME_ID, organization_id: SOME_ID });
  return { server, headers: JSON_TYPE, requests: [{ method: 'POST', path: '/tasks', body }], isExpected: hasId };
}

function mcp(server: Server, { authorization }: Seeded, messages: [string, object][], isExpected: Workload['isExpected']): Workload {
  const headers = { authorization, ...JSON_TYPE, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
  const bodies = messages.map(([method, params]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return { server, headers, requests: bodies.map((body) => ({ method: 'POST', path: '/api/v1/ext/mcp', body })), isExpected };
}

/** The cursor of a page, found by following next_cursor as a client does. */
async function cursorOfPage(server: Server, { authorization }: Seeded, page: number): Promise<string> {
  let cursor = '';
  for (let skipped = 0; skipped < (page - 1) * PAGE; skipped += STRIDE) {
    const response = await fetch(`${server.url}/api/v1/ext/tasks/tasks?limit=${STRIDE}${cursor && `&cursor=${cursor}`}`, {
      headers: { authorization },
    });
    cursor = ((await response.json()) as { next_cursor: string }).next_cursor;
  }
  return cursor;
}

function hasId(body: unknown): boolean {
  return typeof (body as { id?: unknown }).id === 'string';
}

function isPage(body: unknown): boolean {
  const { object, data, has_more } = body as { object: unknown; data: unknown[]; has_more: unknown };
  return object === 'list' && data.length === PAGE && data.every(hasId) && has_more === true;
}

function isToolResult(body: unknown): boolean {
  const { result } = body as { result?: { structuredContent?: unknown; isError?: unknown } };
  return result?.isError === undefined && hasId(result?.structuredContent ?? {});
}

function isToolList(body: unknown): boolean {
  return ((body as { result?: { tools?: unknown[] } }).result?.tools ?? []).length > 10;
}

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isObject, type ModuleDemo } from '../kit/index.js';
import { Draining } from '../platform/health/draining.js';
import type { OperationIds, SampleIds } from '../platform/docs/reference/sample-ids.js';
import { RouteRegistry, type Route } from '../platform/registry/route-registry.js';
import { AGENT } from './calls.js';
import type { DemoFacts, DemoKey } from './demo-file.js';
import { demoModules } from './module-parts.js';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
type Conditions = Pick<ModuleDemo, 'fits' | 'sends'>;

/** The search in one module. */
interface Search {
  /** The routes that show records. */
  shown: readonly Route[];
  read(path: string): Promise<unknown>;
  /** The project whose records come first. */
  project: string | undefined;
  /** By path, the records of the lists. */
  lists: Map<string, Row[]>;
  ids: Map<string, OperationIds>;
}

/** A list inside of a record, such as the events of a calendar, is looked for in so many records. */
const MOST_PARENTS = 4;
/** Of one module: half of what its key may read in a minute by default, so that people can use the key meanwhile. */
const MOST_READS = 30;

/**
 * The first record of each list of test data, of the first project where there is one, and the first on which an operation with a condition
 * works. Each list is read once, with a key that only reads.
 */
export async function findSampleIds(
  app: NestFastifyApplication,
  { keys, projects }: Pick<DemoFacts, 'keys' | 'projects'>,
): Promise<SampleIds> {
  const demos = new Map(demoModules(app).map(({ name, demo }) => [name, demo]));
  const keyed = app.get(RouteRegistry).routes.filter(({ plane, endpoint }) => plane === 'keyed' && endpoint !== null);
  const ids = new Map<string, OperationIds>();
  for (const [module, routes] of Map.groupBy(keyed, (route) => route.module)) {
    const key = module === null ? undefined : readingKey(keys, module);
    if (!key) continue;
    const shown = routes.filter(({ method, endpoint }) => method === 'GET' && endpoint?.returns != null);
    const search = { shown, read: reader(app, key), project: projects[0]?.id, lists: new Map<string, Row[]>(), ids };
    await findInLists(search);
    await findInRecords(search);
    await findParts(search);
    await findFitting(search, routes, demos.get(module!) ?? {});
  }
  return ids;
}

/** A key for the test data of all projects, with few scopes. */
function readingKey(keys: readonly DemoKey[], module: string): DemoKey | undefined {
  const all = keys.filter((key) => key.module === module && key.mode === 'test' && key.project_id === null);
  return all.toSorted((one, other) => one.scopes.length - other.scopes.length)[0];
}

function reader(app: NestFastifyApplication, { secret }: DemoKey): Search['read'] {
  const draining = app.get(Draining);
  let reads = 0;
  return async (url) => {
    if (draining.isDraining) throw new Error('The process stops.');
    if (reads++ >= MOST_READS) return null;
    const response = await app.inject({ url, headers: { authorization: `Bearer ${secret}`, 'user-agent': AGENT } });
    return response.statusCode === 200 ? response.json<unknown>() : null;
  };
}

async function findInLists(search: Search): Promise<void> {
  const routes = search.shown.filter((one) => endpoint(one).list && !one.path.includes('{'));
  for (const { path } of routes) search.lists.set(path, await rowsAt(search, path));
  search.project = commonProject([...search.lists.values()], search.project);
  for (const { path, endpoint: declared } of routes) {
    const rows = ownFirst(search, search.lists.get(path)!);
    search.lists.set(path, rows);
    if (rows[0]) search.ids.set(declared!.operation, { id: rows[0].id, next: rows[1]?.id, parts: {} });
  }
}

/** The project that the most lists have, so that records which samples name together belong together; of several, the preferred one. */
function commonProject(lists: readonly (readonly Row[])[], preferred: string | undefined): string | undefined {
  const counts = new Map<unknown, number>();
  for (const rows of lists) for (const id of new Set(rows.map(({ project_id }) => project_id))) counts.set(id, (counts.get(id) ?? 0) + 1);
  const most = Math.max(...counts.values());
  if (preferred === undefined || counts.get(preferred) === most) return preferred;
  const found = [...counts].find(([id, count]) => typeof id === 'string' && count === most)?.[0];
  return typeof found === 'string' ? found : preferred;
}

/** The lists inside of records. */
async function findInRecords(search: Search): Promise<void> {
  const { shown, lists, ids } = search;
  for (const route of shown.filter((one) => endpoint(one).list && one.path.split('{').length === 2)) {
    for (const { id: parent } of (lists.get(above(route)) ?? []).slice(0, MOST_PARENTS)) {
      const rows = await rowsAt(search, filled(route, parent));
      if (!rows[0]) continue;
      ids.set(endpoint(route).operation, { id: rows[0].id, parent, parts: partsOf(rows) });
      // such as the events of calendars, which have paths of their own
      const own = route.path.replace(/\/[^/]+\/\{\w+\}/, '');
      if (!lists.has(own)) lists.set(own, rows);
      break;
    }
  }
}

/** Parts of the first records. */
async function findParts({ shown, read, lists, ids }: Search): Promise<void> {
  for (const route of shown.filter(isOfRecord)) {
    const [row] = lists.get(above(route)) ?? [];
    if (row) ids.set(endpoint(route).operation, { parts: partsOf([await read(filled(route, row.id))]) });
  }
}

async function findFitting(search: Search, routes: readonly Route[], { fits = {}, sends = {} }: Conditions): Promise<void> {
  const { shown, read, lists, ids } = search;
  for (const name of new Set([...Object.keys(fits), ...Object.keys(sends)])) {
    const [operation, argument] = name.split('.');
    const route = routes.find((one) => endpoint(one).operation === operation);
    if (!route) continue;
    const rows = argument === undefined ? (lists.get(above(route)) ?? []) : [...lists.values()].flat();
    const row = rows.find((one) => fitsTo(one, fits[name] ?? {}));
    const show = argument === undefined && shown.find((one) => isOfRecord(one) && above(one) === above(route));
    const record = row && show ? await read(filled(show, row.id)) : row;
    const values = Object.entries(sends[name] ?? {}).map(([member, path]) => [member, valueAt(record, path)] as const);
    ids.set(
      name,
      row
        ? {
            id: row.id,
            parts: show ? partsOf([record]) : {},
            values: Object.fromEntries(values.filter(([, value]) => (value ?? null) !== null)),
          }
        : { parts: {}, isMissing: true },
    );
  }
}

/** `path` names members and positions: `lines.0.sku`. */
function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], record);
}

async function rowsAt(search: Search, path: string): Promise<Row[]> {
  return ownFirst(search, rowsOf(await search.read(`${path}?limit=100`)));
}

function ownFirst({ project }: Search, rows: readonly Row[]): Row[] {
  const rank = ({ project_id }: Row) => (project_id === project ? 0 : 1);
  return rows.toSorted((one, other) => rank(one) - rank(other));
}

const endpoint = (route: Route) => route.endpoint!;

function isOfRecord({ path }: Route): boolean {
  return /^[^{]*\{\w+\}$/.test(path);
}

/** The path of the list that has the record. */
function above({ path }: Route): string {
  return path.slice(0, path.indexOf('/{'));
}

function filled({ path }: Route, id: string): string {
  return path.replace(/\{\w+\}/, id);
}

function rowsOf(body: unknown): Row[] {
  const data = isObject(body) ? (body as { data?: unknown }).data : undefined;
  return Array.isArray(data) ? data.filter(isRow) : [];
}

/** By member that is a list, the id of the first item in the first record that has one. */
function partsOf(records: readonly unknown[]): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const [name, value] of records.flatMap((record) => (isObject(record) ? Object.entries(record) : []))) {
    const [first] = Array.isArray(value) ? (value as unknown[]) : [];
    if (isRow(first)) parts[name] ??= first.id;
  }
  return parts;
}

function isRow(value: unknown): value is Row {
  return isObject(value) && typeof (value as { id?: unknown }).id === 'string';
}

function fitsTo(row: Readonly<Record<string, unknown>>, wanted: object): boolean {
  return Object.entries(wanted).every(([name, value]: [string, unknown]) => {
    const given = row[name];
    if (Array.isArray(value)) return value.includes(given);
    return isObject(value) ? isObject(given) && fitsTo(given, value) : given === value;
  });
}

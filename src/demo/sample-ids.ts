import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isObject } from '../kit/index.js';
import { Draining } from '../platform/health/draining.js';
import type { SampleIds } from '../platform/docs/sample-ids.js';
import { RouteRegistry, type Route } from '../platform/registry/route-registry.js';
import { AGENT } from './calls.js';
import type { DemoFacts, DemoKey } from './demo-file.js';
import { demoModules } from './module-parts.js';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
type Read = (path: string) => Promise<unknown>;
type Fits = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A list inside of a record, such as the events of a calendar, is looked for in so many records. */
const MOST_PARENTS = 4;

/**
 * The first record of each list of test data, of the first project where there is one, and the first on which an operation with a condition
 * works. Each list is read once, with a key that only reads.
 */
export async function findSampleIds(
  app: NestFastifyApplication,
  { keys, projects }: Pick<DemoFacts, 'keys' | 'projects'>,
): Promise<SampleIds> {
  const fits = new Map(demoModules(app).map(({ name, demo }) => [name, demo.fits]));
  const keyed = app.get(RouteRegistry).routes.filter(({ plane, endpoint }) => plane === 'keyed' && endpoint !== null);
  const ids: Record<string, string> = {};
  for (const [module, routes] of Map.groupBy(keyed, (route) => route.module)) {
    const key = module === null ? undefined : readingKey(keys, module);
    if (key) Object.assign(ids, await idsOf(reader(app, key), routes, fits.get(module!) ?? {}, projects[0]?.id));
  }
  return ids;
}

/** A key for the test data of all projects, with few scopes. */
function readingKey(keys: readonly DemoKey[], module: string): DemoKey | undefined {
  const all = keys.filter((key) => key.module === module && key.mode === 'test' && key.project_id === null);
  return all.toSorted((one, other) => one.scopes.length - other.scopes.length)[0];
}

function reader(app: NestFastifyApplication, { secret }: DemoKey): Read {
  const draining = app.get(Draining);
  return async (url) => {
    if (draining.isDraining) throw new Error('The process stops.');
    const response = await app.inject({ url, headers: { authorization: `Bearer ${secret}`, 'user-agent': AGENT } });
    return response.statusCode === 200 ? response.json<unknown>() : null;
  };
}

async function idsOf(read: Read, routes: readonly Route[], fits: Fits, project: string | undefined): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const lists = new Map<string, Row[]>();
  const shown = routes.filter(({ method, endpoint }) => method === 'GET' && endpoint?.returns != null);
  const rowsAt = async (path: string) => {
    const rows = rowsOf(await read(`${path}?limit=100`));
    const isFirst = ({ project_id: of }: Row) => of === project;
    return [...rows.filter(isFirst), ...rows.filter((row) => !isFirst(row))];
  };
  for (const route of shown.filter((one) => endpoint(one).list && !one.path.includes('{'))) {
    const rows = await rowsAt(route.path);
    lists.set(route.path, rows);
    if (rows[0]) ids[endpoint(route).operation] = rows[0].id;
    if (rows[1]) ids[`${endpoint(route).operation}.next`] = rows[1].id;
  }
  for (const route of shown.filter((one) => endpoint(one).list && one.path.split('{').length === 2)) {
    for (const parent of (lists.get(above(route)) ?? []).slice(0, MOST_PARENTS)) {
      const rows = await rowsAt(filled(route, parent.id));
      if (!rows[0]) continue;
      const { operation } = endpoint(route);
      ids[operation] = rows[0].id;
      ids[`${operation}.parent`] = parent.id;
      for (const [member, part] of rows.flatMap(partsOf)) ids[`${operation}.${member}`] ??= part;
      // such as the events of calendars, which have paths of their own
      const own = route.path.replace(/\/[^/]+\/\{\w+\}/, '');
      if (!lists.has(own)) lists.set(own, rows);
      break;
    }
  }
  const records = shown.filter((route) => /^[^{]*\{\w+\}$/.test(route.path));
  const addParts = async (operation: string, show: Route, id: string) => {
    for (const [member, part] of partsOf(await read(filled(show, id)))) ids[`${operation}.${member}`] = part;
  };
  for (const show of records) {
    const [row] = lists.get(above(show)) ?? [];
    if (row) await addParts(endpoint(show).operation, show, row.id);
  }
  for (const [operation, wanted] of Object.entries(fits)) {
    const route = routes.find((one) => endpoint(one).operation === operation);
    const row = route && lists.get(above(route))?.find((one) => fitsTo(one, wanted));
    const show = route && records.find((one) => above(one) === above(route));
    if (!row) continue;
    ids[operation] = row.id;
    if (show) await addParts(operation, show, row.id);
  }
  return ids;
}

const endpoint = (route: Route) => route.endpoint!;

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

/** The first item with an id of each list in a record. */
function partsOf(record: unknown): [member: string, id: string][] {
  const members = isObject(record) ? Object.entries(record) : [];
  return members.flatMap(([name, value]) => {
    const [first] = Array.isArray(value) ? (value as unknown[]) : [];
    return isRow(first) ? [[name, first.id]] : [];
  });
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

import { isObject, isUuid } from '../../../kit/index.js';
import { OMITTED } from '../catalog/output-schema.js';
import { AUTHOR, withRecords, type RecordTree } from '../catalog/record-tree.js';
import { ALL_FIELDS, PROJECT_KEY } from '../catalog/tool-input.js';
import type { Json } from '../protocol/protocol.js';
import { fittedPage } from './fitted-page.js';

/** Members of list items that are left out of resources without a summary: an agent that picks an item does not need them. */
const BOOKKEEPING = new Set(['object', 'version', 'created_by', 'created_at', 'updated_at', 'position']);

/** The keys of projects by their ids. */
export type ProjectKeys = (id: string) => string | undefined;

/** What a tool returns of the route's response. */
export interface AnswerOptions {
  /** The members that the caller names, beside `id`; `*` for all. */
  fields?: readonly string[] | undefined;
  /**
   * The paths of the members that the items of a list have otherwise; undefined for the answer to a write, which is whole. A page of long
   * rows goes without those that end with a question mark.
   */
  summary?: readonly string[] | undefined;
  /** The paths of the texts that a page of long rows has only in part. */
  texts?: ReadonlySet<string> | undefined;
  projectKeys?: ProjectKeys;
  /** Where the response has records that belong to projects. */
  records?: RecordTree | undefined;
}

/**
 * The part of the route's response that a tool returns, as text and as structured content. An object is whole, but for members without a
 * value. The items of a list that is read have their summary, shortened if the page is long, or the members that `fields` names, in full.
 * What belongs to a project has its key, so that an agent can say which project the call took.
 */
export function answerOf(body: Json, { fields, summary, texts, records, projectKeys = () => undefined }: AnswerOptions): Json {
  if (!isList(body)) {
    const whole = withRecords(body, records, (record) => keyed(record, projectKeys)) as Json;
    if (fields !== undefined && !fields.includes(ALL_FIELDS)) return picked(whole, fields);
    return fields === undefined ? valuesOf(whole, isRecord(whole)) : whole;
  }
  const { next_cursor, ...rest } = body;
  const isShown = fields === undefined || fields.includes(ALL_FIELDS) || fields.includes(PROJECT_KEY);
  const rows = isShown ? (withRecords(body, records, (record) => keyed(record, projectKeys)) as Rows).data : body.data;
  const pageOf = (item: (row: Json) => Json): Json => {
    const data = rows.map((row) => (isShown && PROJECT_KEY in row ? { ...item(row), [PROJECT_KEY]: row[PROJECT_KEY] } : item(row)));
    return { ...rest, data, ...(next_cursor === null ? {} : { next_cursor }) };
  };
  if (fields !== undefined) return pageOf(fields.includes(ALL_FIELDS) ? (row) => row : (row) => picked(row, fields));
  if (summary === undefined) return pageOf(itemOf(summary));
  const [always, ifShort] = partsOfSummary(summary);
  const page = pageOf(itemOf([...always, ...ifShort]));
  const without = (count: number) => {
    const left = ifShort.slice(0, ifShort.length - count);
    return { ...pageOf(itemOf([...always, ...left])), [OMITTED]: ifShort.slice(left.length).map((path) => path.split('.')[0]) };
  };
  const lesser = ifShort.map((_, at) => () => without(at + 1));
  return fittedPage(page, texts, lesser);
}

/** What the items of a list always have, and what they have on a page that stays short. */
function partsOfSummary(summary: readonly string[]): [always: string[], ifShort: string[]] {
  const ifShort = summary.filter((path) => path.endsWith('?')).map((path) => path.slice(0, -1));
  return [summary.filter((path) => !path.endsWith('?')), ifShort];
}

/** The ids of the projects to which the records belong. */
export function projectsIn(records: readonly Json[]): string[] {
  return [...new Set(records.flatMap(({ project_id: id }) => (typeof id === 'string' ? [id] : [])))];
}

/** The type of an author that is an API key. */
const API_KEY = 'api_key';

/** The authors of the records that are API keys. */
export function keysIn(records: readonly Json[]): (Json & { id: string })[] {
  const members = records.flatMap((record) => Object.entries(record));
  return members.flatMap(([name, value]) => (AUTHOR.test(name) && isKey(value) ? [value] : []));
}

function isKey(value: unknown): value is Json & { id: string } {
  return isObject(value) && value['type'] === API_KEY && isUuid(value['id']) && 'email' in value;
}

type Rows = Json & { data: Json[] };

function isList(body: Json): body is Rows {
  return body['object'] === 'list' && areRows(body['data']);
}

/** A list inside of an object, such as a section of a module's context. */
function isSection(value: unknown): value is Rows {
  return isObject(value) && 'has_more' in value && areRows(value['data']);
}

function areRows(data: unknown): boolean {
  return Array.isArray(data) && data.every((item) => isObject(item));
}

function keyed(record: Json, projectKeys: ProjectKeys): Json {
  const { project_id: id } = record;
  const key = typeof id === 'string' ? projectKeys(id) : undefined;
  return key === undefined ? record : { ...record, [PROJECT_KEY]: key };
}

function itemOf(summary: readonly string[] | undefined): (row: Json) => Json {
  if (summary === undefined) return (row) => valuesOf(row, true);
  if (summary.length > 0) {
    const tree = treeOf(summary);
    return (row) => within(row, tree);
  }
  return (row) => valuesOf(Object.fromEntries(Object.entries(row).filter(([name]) => !BOOKKEEPING.has(name))), true);
}

/** The members of a summary; null for one that is whole. */
type Tree = Map<string, Tree | null>;

function treeOf(paths: readonly string[]): Tree {
  const tree: Tree = new Map();
  for (const path of paths) {
    const [name, ...inner] = path.split('.');
    const found = tree.get(name);
    if (inner.length === 0) tree.set(name, null);
    else tree.set(name, new Map([...(found ?? []), ...treeOf([inner.join('.')])]));
  }
  return tree;
}

function within(row: Json, tree: Tree): Json {
  const shown: Json = {};
  for (const [asked, inner] of tree) {
    const name = shownName(row, asked);
    const value = inner === null ? valueOf(row[name]) : partsOf(row[name], inner);
    if (value !== undefined) shown[name] = value;
  }
  return shown;
}

/**
 * Who has no name is told by the address, and a key, which has no address, by its name. A name that the caller may not see is not in the
 * row: the id beside it says who.
 */
function shownName(row: Json, asked: string): string {
  if (asked === 'name' && row[asked] === null) return 'email';
  if (asked === 'email' && row[asked] === null && row['type'] === API_KEY && 'name' in row) return 'name';
  return asked in row ? asked : asked.replace(/_name$/, '_id');
}

function partsOf(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => (isObject(item) ? within(item, tree) : item));
  const parts = isObject(value) ? within(value, tree) : {};
  return Object.keys(parts).length === 0 ? undefined : parts;
}

function picked(item: Json, fields: readonly string[]): Json {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name === 'id' || fields.includes(name)));
}

/** Whether the body is a record that can change, not the result of an analysis or the like. */
function isRecord(body: Json): boolean {
  return 'id' in body && ('version' in body || 'updated_at' in body);
}

/** The members that have a value. An empty collection answers a question if it is no record's, or what a dry run would do. */
function valuesOf(body: Json, ofRecord: boolean): Json {
  const shown: Json = {};
  for (const name in body) {
    const given = body[name];
    const value = valueOf(given);
    if (value !== undefined) shown[name] = value;
    else if (Array.isArray(given) && (!ofRecord || name.startsWith('would_'))) shown[name] = [];
  }
  return shown;
}

/** The value without members that have none; undefined if nothing is left. */
function valueOf(value: unknown): unknown {
  if (value === null || value === '' || value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(itemValue);
  if (!isObject(value)) return value;
  if (isSection(value)) return { ...value, data: value.data.map(itemValue) };
  let hasMembers = false;
  const shown: Json = {};
  for (const name in value) {
    const member = valueOf(value[name]);
    if (member === undefined) continue;
    shown[name] = member;
    hasMembers = true;
  }
  return hasMembers ? shown : undefined;
}

/** An item of an array keeps its place, even without a value. */
function itemValue(value: unknown): unknown {
  return isObject(value) ? (valueOf(value) ?? {}) : value;
}

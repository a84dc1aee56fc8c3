import { snakeCase } from '../../../kit/internal.js';
import type { Operation } from './openapi-operations.js';
import type { Json } from '../protocol/protocol.js';
import { termsOf } from '../text/search-terms.js';

/** What an operation answers: the response, and in a list the schema of an item. */
export interface Answer {
  response?: Json;
  resource?: Json;
}

interface Identifier {
  /** Where it is in the input: `lines.item_id`. */
  path: string;
  name: string;
  description: string;
  /** It is the `id` of an item of a list. */
  isOfItem: boolean;
}

/** An operation that answers with ids, and of what. */
interface Source {
  operation: Operation;
  /** The terms of the kind of its rows: `task status`. */
  rows: readonly string[];
  /** The terms of the objects with ids in lists inside of its rows, such as the lines of an order. */
  parts: readonly string[];
}

/**
 * The tools of a module whose answers contain the identifiers that its writes need. A tool is named only if its answers contain an id of
 * that kind; an identifier for which there is none has no look-up.
 */
export class Lookups {
  private readonly sources: readonly Source[];

  constructor(ofModule: readonly Operation[], answerOf: (operation: Operation) => Answer) {
    this.sources = ofModule.filter(({ method }) => method === 'GET').flatMap((operation) => sourceOf(operation, answerOf(operation)));
  }

  /** By argument, such as `lines.item_id`, the tools whose answers contain its ids. */
  byArgument(operation: Operation, input: Json): Map<string, string[]> {
    const records = this.sources.filter(({ operation: { path } }) => `${operation.path}/`.startsWith(`${path}/`) && path.endsWith('}'));
    const own = records.filter(({ operation: { path } }) => path !== operation.path);
    const found = new Map<string, Source[]>();
    const add = (path: string, sources: Source[]) => found.set(path, [...(found.get(path) ?? []), ...sources]);
    for (const parameter of operation.parameters)
      if (parameter.in === 'path') add(snakeCase(parameter.name), this.listsOf(operation, parameter));
    for (const identifier of identifiersOf(input)) {
      const sources = this.sourcesOf(identifier, identifier.isOfItem ? records : own);
      add(identifier.path, sources.length === 0 && identifier.isOfItem ? this.listsAbove(operation) : sources);
    }
    return new Map([...found].flatMap(([path, sources]) => (sources.length === 0 ? [] : [[path, this.namesOf(sources)]])));
  }

  /** Those that the description of a tool that writes names. */
  of({ method }: Operation, byArgument: ReadonlyMap<string, readonly string[]>): string[] {
    const names = new Set(method === 'GET' ? [] : [...byArgument.values()].flat());
    return this.sources.flatMap(({ operation: { name } }) => (names.has(name) ? [name] : []));
  }

  private namesOf(found: readonly Source[]): string[] {
    return this.sources.filter((source) => found.includes(source)).map(({ operation: { name } }) => name);
  }

  /** The lists of the records of which the path names one. None has a deleted record. */
  private listsOf({ path }: Operation, { name, description = '' }: Operation['parameters'][number]): Source[] {
    const of = path.slice(0, path.indexOf(`/{${name}}`));
    if (path.endsWith(RESTORE) || this.sources.some(({ operation }) => description.includes(operation.name))) return [];
    const lists = this.sources.filter(({ operation }) => !operation.path.endsWith('}'));
    const beside = lists.filter(({ operation }) => operation.path === of);
    if (beside.length > 0) return beside;
    const record = this.sources.find(({ operation }) => operation.path === `${of}/{${name}}`);
    return lists.filter(({ rows }) => rows.some((kind) => record?.rows.includes(kind)));
  }

  /** The list to which a batch belongs, whose items say which records they change. */
  private listsAbove({ path }: Operation): Source[] {
    return this.sources.filter(({ operation, rows }) => rows.length > 0 && path.startsWith(`${operation.path}/`));
  }

  private sourcesOf({ name, description }: Identifier, own: readonly Source[]): Source[] {
    const subject = subjectOf(name);
    const partOfOwn = own.filter(({ parts }) => parts.includes(subject));
    if (partOfOwn.length > 0) return partOfOwn;
    const words = new Set(description.match(/[a-z0-9_]+/g) ?? []);
    const named = this.sources.filter(({ operation, rows }) => words.has(operation.name) && rows.length > 0);
    if (named.length > 0) return named;
    const lists = this.sources.filter(({ operation: { path } }) => !path.endsWith('}'));
    const kinds = new Set(lists.flatMap(({ rows }) => rows.filter((kind) => kind === subject || kind.endsWith(` ${subject}`))));
    // a subject that two kinds have, such as a status, says nothing
    const kind = kinds.has(subject) ? subject : kinds.size === 1 ? [...kinds][0] : undefined;
    if (kind !== undefined) {
      const all = lists.filter(({ rows }) => rows.includes(kind));
      const direct = all.filter(({ operation: { path } }) => !path.includes('{'));
      return direct.length > 0 ? direct : all;
    }
    const containing = this.sources.filter(({ operation: { path }, parts }) => path.endsWith('}') && parts.includes(subject));
    return containing.length === 1 ? containing : [];
  }
}

/** Of the routes that restore a deleted record. */
const RESTORE = '/restore';
/** Words before the kind of an id: `from_location_id`. */
const ROLES = /^(from|to|into|by)_/;

const UNIONS = ['anyOf', 'oneOf', 'allOf'];

function subjectOf(name: string): string {
  return termsOf(name.replace(/_ids?$/, '').replace(ROLES, '')).join(' ');
}

function sourceOf(operation: Operation, { response, resource }: Answer): Source[] {
  const row = resource ?? response;
  const properties = (row?.['properties'] ?? {}) as Record<string, Json>;
  const kind = (properties['object']?.['enum'] as string[] | undefined)?.[0];
  const rows = 'id' in properties && kind !== undefined ? [termsOf(kind).join(' ')] : [];
  const hasIds = ({ items }: Json) => 'id' in (((items as Json | undefined)?.['properties'] ?? {}) as Json);
  const parts = Object.entries(properties).flatMap(([name, property]) => (hasIds(property) ? [termsOf(name).join(' ')] : []));
  return rows.length + parts.length > 0 ? [{ operation, rows, parts }] : [];
}

/** Where an input has ids of projects. */
export function projectIdsOf(schema: Json): string[] {
  return [...new Set(identifiersOf(schema).flatMap(({ name, path }) => (subjectOf(name) === 'project' ? [path] : [])))];
}

/** The schema in which the ids of projects have no form, because a tool takes the keys of projects in their place. */
export function withProjectKeys(schema: Json, isProject = false): Json {
  const { format, pattern, ...rest } = schema;
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const isOf = (name: string) => /_ids?$/.test(name) && subjectOf(name) === 'project';
  return {
    ...(isProject ? rest : schema),
    ...(properties.length > 0
      ? { properties: Object.fromEntries(properties.map(([name, property]) => [name, withProjectKeys(property, isOf(name))])) }
      : {}),
    ...(schema['items'] ? { items: withProjectKeys(schema['items'] as Json, isProject) } : {}),
    ...Object.fromEntries(
      UNIONS.flatMap((key) => (schema[key] ? [[key, (schema[key] as Json[]).map((one) => withProjectKeys(one, isProject))]] : [])),
    ),
  };
}

/** The `id` in a list `files` is the id of a file. */
function identifiersOf(schema: Json, list = '', above = ''): Identifier[] {
  const { items } = schema as { items?: Json };
  const branches = UNIONS.flatMap((key) => (schema[key] ?? []) as Json[]);
  return [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(([name, property]) => {
      const isOfItem = name === 'id' && list !== '';
      const of = isOfItem ? `${list}_id` : name;
      const path = `${above}${name}`;
      const description = String(property['description'] ?? '');
      const own = /_ids?$/.test(of) ? [{ path, name: of, description, isOfItem }] : [];
      return [...own, ...identifiersOf(property, name, `${path}.`)];
    }),
    ...(items ? identifiersOf(items, list, above) : []),
    ...branches.flatMap((branch) => identifiersOf(branch, list, above)),
  ];
}

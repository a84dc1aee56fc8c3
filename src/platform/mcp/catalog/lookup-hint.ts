import type { Operation } from './openapi-operations.js';
import type { Json } from '../protocol/protocol.js';
import { termsOf } from '../text/search-terms.js';

/** What an operation answers: the response, and in a list the schema of an item. */
export interface Answer {
  response?: Json;
  resource?: Json;
}

interface Identifier {
  name: string;
  description: string;
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

  of(operation: Operation, input: Json): string[] {
    if (operation.method === 'GET') return [];
    const own = this.sources.filter(({ operation: { path } }) => operation.path.startsWith(`${path}/`) && path.endsWith('}'));
    const found = new Set(identifiersOf(input).flatMap((identifier) => this.sourcesOf(identifier, own)));
    return this.sources.filter((source) => found.has(source)).map(({ operation: { name } }) => name);
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

/** Words before the kind of an id: `from_location_id`. */
const ROLES = /^(from|to|into|by)_/;

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

function identifiersOf(schema: Json): Identifier[] {
  const inner = [schema['items'], ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => schema[key] ?? [])] as (Json | undefined)[];
  return [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(([name, property]) => [
      ...(/_ids?$/.test(name) ? [{ name, description: String(property['description'] ?? '') }] : []),
      ...identifiersOf(property),
    ]),
    ...inner.flatMap((branch) => (branch === undefined ? [] : identifiersOf(branch))),
  ];
}

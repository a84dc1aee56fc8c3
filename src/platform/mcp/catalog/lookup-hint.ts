import type { Operation } from './openapi-operations.js';
import type { Json } from '../protocol/protocol.js';
import { termsOf } from '../text/search-terms.js';

/**
 * The list tools that return the identifiers a write needs: those named in the descriptions of its arguments and those of
 * the same subject (`status_id`, `list_task_statuses`); without any, all lookups of its module.
 */
export function lookupsFor(operation: Operation, input: Json, ofModule: readonly Operation[]): string[] {
  if (operation.method === 'GET') return [];
  const identifiers = identifiersOf(input);
  if (identifiers.length === 0) return [];
  const lists = ofModule.filter((candidate) => candidate.method === 'GET' && candidate.name.startsWith('list_'));
  const subjects = new Set(identifiers.map(({ name }) => subjectOf(name.replace(/_ids?$/, ''))));
  const words = new Set(identifiers.flatMap(({ description }) => description.match(/[a-z0-9_]+/g) ?? []));
  const found = lists.filter(({ name }) => words.has(name) || subjects.has(subjectOf(name)));
  return (found.length > 0 ? found : ofModule.filter((candidate) => candidate.isLookup)).map(({ name }) => name);
}

function subjectOf(name: string): string | undefined {
  return termsOf(name).at(-1);
}

function identifiersOf(schema: Json): { name: string; description: string }[] {
  const inner = [schema['items'], ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => schema[key] ?? [])] as (Json | undefined)[];
  return [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(([name, property]) => [
      ...(/_ids?$/.test(name) ? [{ name, description: String(property['description'] ?? '') }] : []),
      ...identifiersOf(property),
    ]),
    ...inner.flatMap((branch) => (branch === undefined ? [] : identifiersOf(branch))),
  ];
}

import type { ApiDocument, ApiOperation } from './api-document.js';

/** Where a method is in the client: `suite.<module>.<resource>.<method>`. */
export interface Place {
  module: string;
  /** Null: the module has the method itself. */
  resource: string | null;
  method: string;
}

/** An operation with its method and path. */
export interface NamedOperation {
  method: string;
  path: string;
  operation: ApiOperation;
}

export function operationsOf({ paths }: ApiDocument): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation })));
}

/** Members of the suite itself, and names that JavaScript gives a meaning. */
const RESERVED_MODULES = ['webhooks', 'mcpUrl', 'baseUrl', 'constructor', 'then'];
const RESERVED = ['then', 'constructor'];

/**
 * The places of operations. The path names the module and the resource, the operation's name the method: `close_note` of
 * `/ext/pad/notes/{id}/close` is `pad.notes.close`. A resource named like its module is the module itself. Methods of one resource that
 * would have the same name are named after their operations.
 */
export function placesOf(operations: readonly NamedOperation[]): Map<NamedOperation, Place> {
  const places = new Map(operations.map((operation) => [operation, placeOf(operation)]));
  const resources = new Set([...places.values()].map(({ module, resource }) => `${module}.${resource}`));
  for (const place of places.values())
    if (place.resource === null && resources.has(`${place.module}.${place.method}`))
      place.method = camelCase(`${place.method}_${place.module}`);
  const byName = Map.groupBy(places, ([, { module, resource, method }]) => [module, resource, method].join('.'));
  for (const same of byName.values())
    if (same.length > 1 || RESERVED.includes(same[0][1].method))
      for (const [{ operation }, place] of same) place.method = camelCase(operation.operationId);
  return places;
}

function placeOf({ method, path, operation: { operationId, tags } }: NamedOperation): Place {
  // of /api/v1/<plane>/...
  const [, , , plane, ...segments] = path.split('/');
  const module = camelCase(plane === 'ext' ? (segments.shift() as string) : plane === 'public' ? 'public' : tags[0]);
  const collection = segments[0] ?? '';
  const [verb, ...nouns] = operationId.split('_');
  const place = { module: RESERVED_MODULES.includes(module) ? `${module}Module` : module };
  if (collection === '' || collection.startsWith('{') || (method === 'post' && segments.length === 1 && collection === verb))
    return { ...place, resource: null, method: camelCase(operationId) };
  const resource = camelCase(collection);
  const noun = nounOf(collection, nouns, place.module);
  const at = indexOfNoun(nouns, noun);
  // what is before the resource's name qualifies it; the path says so if it tells resources apart
  const [qualifiers, rest] = at < 0 ? [[], nouns] : [nouns.slice(0, at), nouns.slice(at + wordsOf(noun).length)];
  const kept = qualifiers.length > 0 && wordsOf(segments[1] ?? '').join() === qualifiers.join() ? qualifiers : [];
  return { ...place, resource: resource === module ? null : resource, method: camelCase([verb, ...kept, ...rest].join('_')) };
}

/** The collection, or its last word if the operation has the name of the module before it: `create_pad_entry` of `log-entries`. */
function nounOf(collection: string, nouns: readonly string[], module: string): string {
  return nouns[0] === module && indexOfNoun(nouns, collection) < 0 ? (wordsOf(collection).at(-1) as string) : collection;
}

function indexOfNoun(nouns: readonly string[], noun: string): number {
  return nouns.findIndex((_, index) => wordsOf(noun).every((word, offset) => isSameNoun(word, nouns[index + offset] ?? '')));
}

function wordsOf(name: string): string[] {
  return name.split(/[-_]/);
}

/** Whether two words are one noun, each in the singular or plural. */
function isSameNoun(one: string, other: string): boolean {
  const forms = (word: string) => [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  return forms(one).some((form) => form !== '' && forms(other).includes(form));
}

function camelCase(name: string): string {
  return name.replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

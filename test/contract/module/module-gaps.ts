import { expect, test } from '@jest/globals';
import type { ApiDocument, ApiOperation, Json, Schema } from '../../harness/api-document.js';
import type { ModuleContext } from './module-context.js';
import type { DescribedModule, KeyedRoute } from './module-routes.js';
import { reachedBy, STATE } from './module-reached.js';
import { referencesIn } from './module-value-places.js';
import { OF_LISTS, OF_PAGES } from './module-variants.js';

/** The platform restricts lists by these itself; custom fields have a check of their own. */
const OF_PLATFORM = new Set([...OF_LISTS, ...OF_PAGES, 'custom_fields']);
/** What the platform makes and tests. */
const PLATFORM_OBJECTS = new Set<unknown>(['project', 'member']);
const DEEPEST = 6;

/**
 * Checks that samples reach the branches of handlers, or a leak in one passes: no state that no row had, no reference that no call had, no
 * filter that left no row, no list without rows.
 */
export function checkGaps(module: DescribedModule, world: () => ModuleContext): void {
  test('samples reach each list, filter, reference and state, or describeModule says which ones they do not', () => {
    expect(gapFaults(module, world())).toEqual([]);
  });
}

export function gapFaults({ name, routes: all }: DescribedModule, world: ModuleContext): string[] {
  const routes = all.filter(({ endpoint }) => endpoint.operation !== `list_${name}_custom_fields`);
  const gaps = new Map(routes.flatMap((route) => gapsOf(route, world)));
  const states = new Set(routes.flatMap(({ endpoint }) => statesOf(world.api, world.api.operation(endpoint.operation))));
  const had = new Set(routes.flatMap((route) => [...(reachedBy(route)?.states ?? [])]));
  for (const state of states) if (!had.has(state)) gaps.set(state, 'no row of an answer had it');
  const listed = new Set(world.unreached);
  return [
    ...[...gaps]
      .filter(([gap]) => !listed.has(gap))
      .map(([gap, why]) => `${gap}: ${why}, so a leak there passes; let a sample have it, or list it in unreached of describeModule`),
    // a job may give a row a listed state in some runs
    ...[...listed]
      .filter((gap) => !gaps.has(gap) && !states.has(gap))
      .map((gap) => `${gap}: is in unreached, but is reached, or does not exist`),
  ];
}

function gapsOf(route: KeyedRoute, { api }: ModuleContext): [gap: string, why: string][] {
  const { operation, list } = route.endpoint;
  const { body, parameters } = api.operation(operation);
  const { sent, asked, hadRows } = reachedBy(route) ?? { sent: new Set(), asked: new Set(), hadRows: false };
  if (list && !hadRows) return [[operation, 'it never listed a row']];
  const filters = parameters.filter(({ name, in: place }) => place === 'query' && !OF_PLATFORM.has(name) && !asked.has(name));
  const references = body ? referencesIn(api, body, undefined, []).filter(({ path }) => !sent.has(fieldAt(path))) : [];
  return [
    ...filters.map(({ name }): [string, string] => [`${operation} ${name}`, 'no answer to a call with it had a row']),
    ...references.map(({ path }): [string, string] => [`${operation} ${fieldAt(path)}`, 'no accepted call had it']),
  ];
}

function fieldAt(path: readonly (string | number)[]): string {
  return path.filter((step) => typeof step === 'string').join('.');
}

/** The states that rows can have in the answers of an operation. */
function statesOf(api: ApiDocument, { source }: ApiOperation): string[] {
  const contents = Object.values((source.responses ?? {}) as Record<string, Json>).map(({ content }) => content as Json | undefined);
  return contents.flatMap((content) => statesIn(api, (content?.['application/json'] as Json | undefined)?.schema as Schema | undefined, 0));
}

function statesIn(api: ApiDocument, schema: Schema | undefined, depth: number): string[] {
  if (!schema || depth > DEEPEST) return [];
  const { type, items, properties = {} } = api.resolve(schema) as { type?: string; items?: Schema; properties?: Record<string, Schema> };
  if (type === 'array') return statesIn(api, items, depth + 1);
  const [object] = ((properties.object && api.resolve(properties.object).enum) ?? []) as unknown[];
  return Object.entries(properties).flatMap(([name, property]) => {
    const { enum: values } = api.resolve(property) as { enum?: unknown[] };
    if (!values || !STATE.test(name) || object === undefined || PLATFORM_OBJECTS.has(object)) return statesIn(api, property, depth + 1);
    return values.filter((value) => value !== null).map((value) => `${object as string}.${name} ${value as string}`);
  });
}

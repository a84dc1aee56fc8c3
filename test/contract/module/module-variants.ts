import type { ApiDocument, ApiOperation, Json, Schema } from '../../harness/api-document.js';
import { sendCall, type Call, type ModuleContext, type Subject } from './module-context.js';
import { leavesOf, nameOf } from './module-foreign.js';
import type { KeyedRoute } from './module-routes.js';
import { UNIQUE, UUID } from './module-rows.js';

/** A valid call in which one optional field has a value that the document allows. */
export interface Variant {
  /** The field and its value, for faults. */
  what: string;
  change(call: Call): Call;
}

/** Texts of the caller's rows by the names of their fields, such as `vehicle_id`; those in a list also as `list_trips vehicle_id`. */
export type OwnValues = ReadonlyMap<string, string>;

/** Says where a page begins, not which rows are listed. */
export const OF_PAGES = ['cursor', 'limit'];
const PAST = '2000-01-01';
const FUTURE = '2100-01-01';
const HIGHEST = 1000;
/** What a free text may stand for, in whatever mode. */
const WORDS = ['all', 'live', 'test', 'any', '*', 'true', 'deleted', 'archived', 'everyone'];
const MAIN_WORDS = WORDS.slice(0, 2);

const known = new WeakMap<ModuleContext, Promise<OwnValues>>();

/** The values of own rows, the same at each call: one is made with each POST. */
export function ownValues(world: ModuleContext, routes: readonly KeyedRoute[]): Promise<OwnValues> {
  let values = known.get(world);
  if (!values) known.set(world, (values = makeOwnValues(world, routes)));
  return values;
}

async function makeOwnValues(world: ModuleContext, routes: readonly KeyedRoute[]): Promise<OwnValues> {
  const found = new Map<string, string>([['project_id', world.workspace.eng.id]]);
  for (const route of routes.filter(({ method }) => method === 'POST')) {
    const call = await world.call(route);
    const { status, body } = await sendCall(await world.keys.good(), route, call);
    if (status !== route.endpoint.status) continue;
    const row = (body ?? {}) as Json;
    for (const { path, text } of [...leavesOf(call.body ?? {}), ...leavesOf(row)]) if (nameOf(path) !== 'id') found.set(nameOf(path), text);
    if (typeof row.id === 'string') found.set(`${row.object as string}_id`, row.id);
  }
  // a list is best filtered by what its rows have
  for (const route of routes.filter(({ endpoint, path }) => endpoint.list && !path.includes('{'))) {
    const { operation } = route.endpoint;
    const { status, body } = await sendCall(await world.keys.good(), route, await world.sameCall(route));
    if (status !== 200) continue;
    for (const row of (body as { data: Json[] }).data) {
      const named = leavesOf(row).map(({ path, text }): [string, string] => [nameOf(path), text]);
      for (const [name, text] of [...named, [`${row.object as string}_id`, String(row.id)]]) {
        if (name === 'id') continue;
        found.set(`${operation} ${name}`, found.get(`${operation} ${name}`) ?? text);
        found.set(name, found.get(name) ?? text);
        if (UNIQUE.test(text) && !UUID.test(text)) found.set(`${operation} q`, found.get(`${operation} q`) ?? text);
      }
    }
  }
  return found;
}

/** Parameters that every list has. Such values of all of them leave nothing out, so they are sent together. */
export const OF_LISTS = ['sort', 'include_total', 'created_after', 'created_before', 'updated_after', 'updated_before'];

type Which = 'all' | 'those of no list';

/** The variants of a call by its query. */
export function queryVariants(it: Subject, own: OwnValues, which: Which = 'all'): Variant[] {
  const change = (args: Json) => (call: Call) => it.with({ ...call, args: { ...call.args, ...args } }, {});
  return queriesOf(it.context.api, it.operation, own, which).map(({ what, args }) => ({ what, change: change(args) }));
}

/** Each optional parameter of a query with values of each kind; those of a list show full pages with the number of all rows. */
export function queriesOf(
  api: ApiDocument,
  { id, parameters }: ApiOperation,
  own: OwnValues,
  which: Which,
): { what: string; args: Json }[] {
  const query = parameters.filter(({ in: place, required }) => place === 'query' && !required);
  const optional = which === 'all' ? query : query.filter(({ name }) => !OF_LISTS.includes(name));
  const names = optional.map(({ name }) => name);
  const page: Json = { ...(names.includes('limit') && { limit: 100 }), ...(names.includes('include_total') && { include_total: true }) };
  const variant = (args: Json) => ({ what: new URLSearchParams(args as Record<string, string>).toString(), args: { ...page, ...args } });
  const words = which === 'all' ? WORDS : MAIN_WORDS;
  const values = optional
    .filter(({ name }) => !OF_PAGES.includes(name))
    .map(({ name, schema }) => {
      const ofList = own.get(`${id} ${name.replace(/_ids$/, '_id')}`);
      const values = valuesOf(api, name, schema, ofList === undefined ? own : new Map([...own, [name.replace(/_ids$/, '_id'), ofList]]));
      const texts = [...values, ...textsOf(api, schema, words)].map((value) => [value].flat().join(','));
      return { name, texts: [...new Set(texts)] };
    });
  const ofLists = values.filter(({ name, texts }) => OF_LISTS.includes(name) && texts.length > 0);
  const rounds = Math.max(0, ...ofLists.map(({ texts }) => texts.length));
  return [
    ...values.filter((one) => !OF_LISTS.includes(one.name)).flatMap(({ name, texts }) => texts.map((text) => variant({ [name]: text }))),
    ...Array.from({ length: rounds }, (_, round) =>
      variant(Object.fromEntries(ofLists.map(({ name, texts }) => [name, texts[Math.min(round, texts.length - 1)]]))),
    ),
  ];
}

/** The variants of a call by the optional fields of its body that choose something. Texts and numbers are what is written. */
export function bodyVariants(it: Subject, own: OwnValues): Variant[] {
  if (!it.operation.body) return [];
  const { api } = it.context;
  const { properties = {}, required = [] } = api.resolve(it.operation.body) as { properties?: Record<string, Schema>; required?: string[] };
  return Object.entries(properties)
    .filter(([name, schema]) => !required.includes(name) && isChoice(api, schema))
    .flatMap(([name, schema]) =>
      valuesOf(api, name, schema, own).map((value) => ({
        what: `${name} ${JSON.stringify(value)}`,
        change: (call) => it.with(call, { body: { ...call.body, [name]: value } }),
      })),
    );
}

function isChoice(api: ApiDocument, schema: Schema): boolean {
  const { type, items, enum: values, format } = api.resolve(schema);
  if (type === 'array') return isChoice(api, items as Schema);
  return values !== undefined || format !== undefined || [type].flat().includes('boolean');
}

/** Values of each kind that a schema allows: all of an enumeration, both booleans, the bounds of numbers, dates that leave nothing out. */
function valuesOf(api: ApiDocument, name: string, schema: Schema, own: OwnValues): unknown[] {
  const shape = api.resolve(schema);
  if (shape.type === 'array') {
    const values = valuesOf(api, name.replace(/_ids$/, '_id'), shape.items as Schema, own);
    const { enum: choices } = api.resolve(shape.items as Schema);
    // a list takes all choices at once
    return choices && values.length <= ((shape.maxItems as number | undefined) ?? Infinity) ? [values] : values.map((value) => [value]);
  }
  // two orders do as well as all of them
  if (shape.enum) return (shape.enum as unknown[]).filter((value) => value !== null).slice(0, name === 'sort' ? 2 : undefined);
  const day = /after|from|since|start|min/.test(name) ? PAST : FUTURE;
  const example = (((schema.examples ?? shape.examples) as unknown[] | undefined) ?? [])[0];
  const examples = example === undefined ? [] : [example].flat().slice(0, 1);
  switch ([shape.type].flat().find((type) => type !== 'null')) {
    case 'boolean':
      return [true, false];
    case 'integer':
    case 'number':
      return [...new Set([shape.minimum, shape.maximum, ...examples])].filter((value) => typeof value === 'number' && value <= HIGHEST);
    case 'string':
      if (shape.format === 'date') return [day];
      if (shape.format === 'date-time') return [`${day}T00:00:00Z`];
      return [...wordsOf(shape.pattern), ...(own.has(name) ? [own.get(name)] : shape.format === 'uuid' ? [] : examples)];
    default:
      return example === undefined ? [] : [example];
  }
}

/** The words that a parameter of free text accepts; a list has them all at once. */
function textsOf(api: ApiDocument, schema: Schema, words: readonly string[]): unknown[] {
  const { type, items, format, enum: values, pattern, minLength = 0, maxLength = Infinity } = api.resolve(schema);
  if (type === 'array') {
    const texts = textsOf(api, items as Schema, words);
    return texts.length > 0 ? [texts] : [];
  }
  if (![type].flat().includes('string') || format !== undefined || values !== undefined) return [];
  const isLong = ({ length }: string) => length >= (minLength as number) && length <= (maxLength as number);
  return words.filter((word) => isLong(word) && (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(word)));
}

/** The words that a pattern allows besides what it describes, such as `none`. */
function wordsOf(pattern: unknown): string[] {
  return typeof pattern === 'string' ? [...pattern.matchAll(/(?<=[(|:])[a-z_]{3,}(?=\|)/g)].map(([word]) => word) : [];
}

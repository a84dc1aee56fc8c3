import type { ApiDocument, Json, Schema } from '../../harness/api-document.js';
import { isObject } from '../../../src/kit/index.js';
import type { Call, Subject } from './module-context.js';
import { leavesOf, nameOf, withValue, type ForeignRows } from './module-foreign.js';
import { UUID } from './module-rows.js';
import { SampleFile } from './module-samples.js';

/** A place of a write for a value that another row has. */
export interface Place {
  /** Its path in the body, for faults. */
  name: string;
  /** A value of a row elsewhere. */
  value: string;
  /** The call with a value at this place. */
  put(call: Call, value: string): Call;
}

type Path = (string | number)[];

const DEEPEST = 5;
const IN_FILES = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{10}/g;

/** The places of a write at which a sample of another location has a value of its own, and those of other references. */
export async function placesIn(it: Subject, theirs: Call, rows: ForeignRows): Promise<Place[]> {
  const ours = await it.context.sameCall(it.route);
  return [...inBody(it, ours, theirs, rows), ...inFile(it, ours, theirs)];
}

/** Those with a value that the caller must not reach; `hidden` has the ids of such rows. */
export function hiddenPlaces(
  { context, route }: Subject,
  places: readonly Place[],
  { location }: ForeignRows,
  itemPath: string | undefined,
  hidden: ReadonlySet<string>,
): Place[] {
  const { operation } = route.endpoint;
  const hidesTexts = context.hiddenFrom(operation, itemPath ?? route.path).includes(location);
  const isShared = (name: string) => location === 'another project' && context.isShared(operation, name.replace(/\.\d+/g, ''));
  return places.filter(({ name, value }) =>
    UUID.test(value) ? hidden.has(value) : context.isUniqueOf(location, value) && hidesTexts && !isShared(name),
  );
}

function inBody(it: Subject, ours: Call, theirs: Call, { location, values }: ForeignRows): Place[] {
  const own = new Map(leavesOf(ours.body ?? {}).map(({ path, text }) => [path.join('.'), text]));
  const places = leavesOf(theirs.body ?? {})
    .filter(({ path, text }) => own.has(path.join('.')) && own.get(path.join('.')) !== text)
    .map(({ path, text }) => placeOf(it, { path, parents: [] }, text));
  if (!it.operation.body) return places;
  // a reference to something of the same kind, or to a member, may have any name, such as parent_id and assignee_id
  const others = [values.get(it.route.path.replace(/\/\{.*/, '')), it.context.location(location).workspace.owner.id];
  const references = referencesIn(it.context.api, it.operation.body, ours.body, []).flatMap((reference) =>
    [values.get(nameOf(reference.path).replace(/_ids$/, '_id')) ?? others]
      .flat()
      .flatMap((value) => (value === undefined ? [] : placeOf(it, reference, value))),
  );
  return [...places, ...references.filter(({ name }) => !places.some((place) => place.name === name))];
}

export interface Reference {
  path: Path;
  /** Objects and lists around it that the sample does not have. */
  parents: readonly { path: Path; value: unknown }[];
}

function placeOf(it: Subject, reference: Reference, value: string): Place {
  const put = (call: Call, text: string) => it.with(call, { body: withReference(call.body ?? {}, reference, text) });
  return { name: reference.path.join('.'), value, put };
}

/** A body with another id at a reference. */
export function withReference(body: Json, { path, parents }: Reference, id: string): Json {
  const within = parents.reduce((whole, parent) => withValue(whole, parent.path, parent.value), body);
  return withValue(within, path, id);
}

/** The fields of ids at any depth; of the items of a list, those of the first, and those of one more if the body has some. */
export function referencesIn(api: ApiDocument, schema: Schema, body: unknown, path: Path, parents: Reference['parents'] = []): Reference[] {
  if (path.length > DEEPEST) return [];
  return Object.entries((api.resolve(schema).properties ?? {}) as Record<string, Schema>).flatMap(([name, property]) => {
    const shape = api.resolve(property);
    const items = shape.type === 'array' ? api.resolve(shape.items as Schema) : undefined;
    const at = [...path, name];
    if (shape.format === 'uuid') return [{ path: at, parents }];
    const value = isObject(body) ? body[name] : undefined;
    const { maxItems = Infinity } = shape as { maxItems?: number };
    const longer = Array.isArray(value) && value.length > 0 && value.length < maxItems ? value.length : undefined;
    if (items?.format === 'uuid') {
      const first = { path: [...at, 0], parents: [...parents, { path: at, value: [] }] };
      return longer === undefined ? [first] : [first, { path: [...at, longer], parents }];
    }
    if (!(items ?? shape).properties) return [];
    const inner = items ? [...at, 0] : at;
    const item = items ? (value as unknown[] | undefined)?.[0] : value;
    if (isObject(item)) {
      const found = referencesIn(api, items ?? shape, item, inner, parents);
      if (longer === undefined) return found;
      const next = [...at, longer];
      return [...found, ...referencesIn(api, items!, item, next, [...parents, { path: next, value: item }])];
    }
    const example = ((property.examples ?? shape.examples) as unknown[] | undefined)?.[0] ?? (items ? [{}] : {});
    const filled = items ? (example as unknown[])[0] : example;
    return isObject(filled) ? referencesIn(api, items ?? shape, filled, inner, [...parents, { path: at, value: example }]) : [];
  });
}

/** The ids and unique texts of a file, each at its place. */
function inFile(it: Subject, ours: Call, theirs: Call): Place[] {
  const values = theirs.file?.text.match(IN_FILES) ?? [];
  const own = ours.file?.text.match(IN_FILES) ?? [];
  return values.flatMap((value, index) => {
    if (own[index] === undefined || own[index] === value) return [];
    const put = (call: Call, text: string) => {
      let at = 0;
      const changed = call.file!.text.replace(IN_FILES, (old) => (at++ === index ? text : old));
      return it.with(call, { file: new SampleFile(call.file!.contentType, changed) });
    };
    return [{ name: `body.${index}`, value, put }];
  });
}

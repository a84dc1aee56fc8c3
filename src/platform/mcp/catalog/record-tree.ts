import { isObject } from '../../../kit/index.js';
import type { Json } from '../protocol/protocol.js';

/** Where a response has records that belong to projects or name authors, as the API declares them: anything can be inside of metadata. */
export interface RecordTree {
  /** The object itself is one. */
  isRecord: boolean;
  members: ReadonlyMap<string, RecordTree>;
}

/** The members of records that are authors. */
export const AUTHOR = /(?:_by|^author|^actor)$/;

/** Undefined if the schema has no records. */
export function recordTree(schema: Json): RecordTree | undefined {
  const { items, properties = {}, anyOf = [], oneOf = [] } = schema as Parts;
  if (items) return recordTree(items);
  const names = Object.keys(properties);
  const members = names.flatMap((name) => {
    const inner = recordTree(properties[name]!);
    return inner === undefined ? [] : [[name, inner] as const];
  });
  const own = { isRecord: names.some((name) => name === 'project_id' || AUTHOR.test(name)), members };
  const all = [own, ...[...anyOf, ...oneOf].flatMap((branch) => recordTree(branch) ?? [])];
  const isRecord = all.some((one) => one.isRecord);
  const found = new Map(all.flatMap((one) => [...one.members]));
  return isRecord || found.size > 0 ? { isRecord, members: found } : undefined;
}

interface Parts {
  items?: Json;
  properties?: Record<string, Json>;
  anyOf?: Json[];
  oneOf?: Json[];
}

/** The records in a response. */
export function recordsIn(value: unknown, tree: RecordTree | undefined): Json[] {
  if (tree === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => recordsIn(item, tree));
  if (!isObject(value)) return [];
  const inner = [...tree.members].flatMap(([name, member]) => recordsIn(value[name], member));
  return tree.isRecord ? [value, ...inner] : inner;
}

/** The response with each record changed. */
export function withRecords(value: unknown, tree: RecordTree | undefined, change: (record: Json) => Json): unknown {
  if (tree === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => withRecords(item, tree, change));
  if (!isObject(value)) return value;
  const whole = { ...value };
  for (const [name, member] of tree.members) if (name in whole) whole[name] = withRecords(whole[name], member, change);
  return tree.isRecord ? change(whole) : whole;
}

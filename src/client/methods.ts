import { bodyOf, isStream } from './bodies.js';
import type { Connection, Request } from './connection.js';
import { WorkSuiteError } from './errors.js';
import { Pages } from './pages.js';
import type { Operation } from './operation.js';
import type { Versioned, VersionedOptions } from './types.js';

/** Methods by their names, and resources, which have methods of their own. */
export interface Table {
  readonly [name: string]: Operation | Table;
}

type Query = Readonly<Record<string, unknown>>;

/** The methods of all operations of a table, in its shape. */
export function methodsOf(table: Table, connection: Connection): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [name, isOperation(entry) ? methodOf(entry, connection) : methodsOf(entry, connection)]),
  );
}

function isOperation(entry: Operation | Table): entry is Operation {
  return typeof entry.path === 'string';
}

function methodOf(operation: Operation, connection: Connection): unknown {
  const method = (...args: unknown[]) => {
    const given = readArguments(operation, args);
    const send = async (query: Query, accept?: string) => {
      const asked = accept === undefined ? operation : { ...operation, file: { accept } };
      return connection.send(requestOf(asked, { ...given, query }), given.options);
    };
    return operation.list ? new Pages(given.query, send) : send(given.query);
  };
  const isError = (error: unknown) => error instanceof WorkSuiteError && error.operation === operation.id;
  return Object.assign(method, { isError });
}

interface CallArguments {
  /** The ids and objects for the parameters of the path. */
  refs: unknown[];
  body: unknown;
  query: Query;
  options: VersionedOptions;
}

/** In this order: parameters of the path, body, query, options. */
function readArguments(operation: Operation, args: unknown[]): CallArguments {
  const rest = [...args];
  const refs = [...operation.path.matchAll(/\{/g)].map(() => rest.shift());
  const body = operation.body && rest.shift();
  const query = (operation.query && (rest.shift() as Query | undefined)) ?? {};
  return { refs, body, query, options: (rest.shift() as VersionedOptions | undefined) ?? {} };
}

function requestOf(operation: Operation, { refs, body, query, options }: CallArguments): Request {
  const headers: Record<string, string> = { Accept: operation.file?.accept ?? 'application/json' };
  const content = operation.body ? bodyOf(body, operation.body) : {};
  if (content.type) headers['Content-Type'] = content.type;
  if (operation.key) headers['Idempotency-Key'] = options.idempotencyKey ?? newKey();
  const version = operation.match && versionOf(operation, refs, options);
  if (version) headers['If-Match'] = version;
  const isIdempotent = operation.key ?? ['GET', 'PUT', 'DELETE'].includes(operation.method);
  const target = pathOf(operation, refs) + queryOf({ ...query, ...operation.file?.query });
  return { operation, target, headers, body: content.body, repeatable: isIdempotent && !isStream(content.body) };
}

function pathOf({ id, path }: Operation, refs: readonly unknown[]): string {
  let index = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const ref = refs[index++];
    const text = typeof ref === 'object' && ref !== null ? (ref as { id?: unknown }).id : ref;
    // an empty one, or a dot, would be the path of another operation
    if (typeof text !== 'string' || /^\.{0,2}$/.test(text)) throw new TypeError(`${id}: ${name} must be an id, but it is ${String(text)}`);
    return encodeURIComponent(text);
  });
}

function queryOf(query: Query): string {
  const pairs = Object.entries(query)
    .flatMap(([name, value]) =>
      isMap(value) ? Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each] as const) : [[name, value] as const],
    )
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent([value].flat().join(','))}`);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Such as the values of custom fields, by their keys. */
function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function versionOf({ match }: Operation, refs: readonly unknown[], { ifMatch }: VersionedOptions): string | undefined {
  if (typeof ifMatch === 'string') return ifMatch;
  const object = ifMatch === undefined && match === 'object' ? refs.at(-1) : ifMatch;
  const version = typeof object === 'object' && object !== null ? (object as Partial<Versioned>).version : undefined;
  return typeof version === 'number' ? `"${version}"` : undefined;
}

/** Not `randomUUID`, which pages of http addresses do not have. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

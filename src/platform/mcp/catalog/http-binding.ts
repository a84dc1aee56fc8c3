import { isObject, writtenValue } from '../../../kit/index.js';
import { FaultError } from '../protocol/fault.js';
import type { Json } from '../protocol/protocol.js';

export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Maps each argument of a tool to its part of the operation's HTTP request. */
export interface HttpBinding {
  method: string;
  /** Alternates literal text and argument names, literal first: `['/notes/', 'note_id', '/archive']`. */
  path: readonly string[];
  query: readonly { name: string; explode: boolean; byDefault?: unknown }[];
  headers: readonly { argument: string; header: string }[];
  body:
    | { kind: 'none' }
    | { kind: 'properties'; names: readonly string[]; required: boolean; contentType: string }
    | { kind: 'argument'; name: string; contentType: string };
}

export function toHttpRequest(binding: HttpBinding, args: Json): HttpRequest {
  const headers: Record<string, string> = {};
  for (const { argument, header } of binding.headers) {
    const value = args[argument];
    if (value !== undefined && value !== null) headers[header] = headerValue(header, argument, value);
  }
  const body = bodyOf(binding, args);
  if (body !== undefined && binding.body.kind !== 'none') headers['content-type'] = binding.body.contentType;
  return { method: binding.method, url: pathOf(binding, args) + queryOf(binding, args), headers, body };
}

function pathOf(binding: HttpBinding, args: Json): string {
  const parts = [binding.path[0] as string];
  for (let i = 1; i < binding.path.length; i += 2) {
    const name = binding.path[i] as string;
    const value = args[name];
    if (value === undefined || value === null || value === '') {
      throw new FaultError({ code: 'missing_fields', message: `${name} is required`, param: name });
    }
    if (typeof value === 'object') {
      throw new FaultError({ code: 'validation_failed', message: `${name} must be an identifier`, param: name });
    }
    parts.push(encode(name, String(value)), binding.path[i + 1] as string);
  }
  // the router reads it character by character, which is slow for a string that is concatenated piece by piece
  return parts.join('');
}

function queryOf(binding: HttpBinding, args: Json): string {
  let query = '';
  const append = (name: string, value: unknown): void => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    query += `${query === '' ? '?' : '&'}${encodeURIComponent(name)}=${encode(name, text)}`;
  };
  for (const { name, explode, byDefault } of binding.query) {
    const value = args[name] ?? byDefault;
    if (value === undefined || value === null) continue;
    if (!Array.isArray(value)) append(name, value);
    else if (explode) for (const item of value) append(name, item);
    else append(name, value.join(','));
  }
  return query;
}

function bodyOf(binding: HttpBinding, args: Json): string | undefined {
  const { body } = binding;
  if (body.kind === 'none') return undefined;
  if (body.kind === 'argument') {
    const value = args[body.name];
    if (value === undefined) return undefined;
    if (body.contentType.includes('json')) return stringify(value);
    if (typeof value !== 'string')
      throw new FaultError({ code: 'validation_failed', message: `${body.name} must be a string: the text of the file`, param: body.name });
    return value;
  }
  const properties: Json = {};
  let given = false;
  for (const name of body.names) {
    if (args[name] === undefined) continue;
    properties[name] = args[name];
    given = true;
  }
  return given || body.required ? stringify(properties) : undefined;
}

function headerValue(header: string, argument: string, value: unknown): string {
  const text = String(value);
  if (isObject(value) || Array.isArray(value) || !/^[\x20-\x7e]*$/.test(text)) {
    throw new FaultError({ code: 'validation_failed', message: `${argument} must be printable ASCII text`, param: argument });
  }
  // Entity tags are quoted (RFC 9110 8.8.3); agents pass the version as they read it in the body.
  return header === 'if-match' && /^\d+$/.test(text) ? `"${text}"` : text;
}

/** Most ids; to encode them takes longer than this test. */
const UNRESERVED = /^[\w.~-]*$/;

function encode(name: string, text: string): string {
  if (UNRESERVED.test(text)) return text;
  try {
    return encodeURIComponent(text);
  } catch {
    throw new FaultError({ code: 'validation_failed', message: `${name} is not well-formed Unicode`, param: name });
  }
}

/** TypeScript's library lacks it. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object };

/** The route refuses 120.00 for an integer also in a map, whose members only the service knows. */
function asSent(this: object, member: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  const written = writtenValue(this, member, value);
  return typeof written === 'string' ? rawJSON(written) : value;
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value, asSent);
  } catch {
    // JSON.parse accepts any depth; JSON.stringify is limited by the stack.
    throw new FaultError({ code: 'validation_failed', message: 'the arguments are nested too deeply' });
  }
}

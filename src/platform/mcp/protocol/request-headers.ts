import { RpcError, type RpcRequest } from './json-rpc.js';
import { NAME_HEADER_SOURCE, RPC, type Json } from './protocol.js';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Trims optional whitespace (RFC 9110 5.5), which Node strips from network requests but in-process callers may not. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(', ') : value)?.trim();
}

export function headerMismatch(message: string): RpcError {
  return new RpcError(RPC.headerMismatch, `Header mismatch: ${message}`, { httpStatus: 400 });
}

/** Prefix of the headers that repeat arguments (SEP-2243). */
export const PARAM_HEADER_PREFIX = 'mcp-param-';

const SENTINEL_PREFIX = '=?base64?';
const SENTINEL_SUFFIX = '?=';
const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes `=?base64?...?=`, the form of values that no header can hold (SEP-2243); undefined when malformed. */
function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(SENTINEL_PREFIX) || !value.endsWith(SENTINEL_SUFFIX)) return value;
  const encoded = value.slice(SENTINEL_PREFIX.length, -SENTINEL_SUFFIX.length);
  if (!CANONICAL_BASE64.test(encoded)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

/** Gateways route by `Mcp-Method` and `Mcp-Name` without reading the body, so both must match the body. */
export function checkStandardHeaders(request: RpcRequest, headers: Headers): void {
  const method = header(headers, 'mcp-method');
  if (method === undefined) throw headerMismatch(`Mcp-Method is missing; the body has "${request.method}"`);
  if (method !== request.method) throw headerMismatch(`Mcp-Method is "${method}", but the body has "${request.method}"`);
  const source = NAME_HEADER_SOURCE[request.method];
  const inBody = source === undefined ? undefined : request.params[source];
  if (typeof inBody !== 'string') return;
  const name = header(headers, 'mcp-name');
  if (name === undefined) throw headerMismatch(`Mcp-Name is missing; the body has "${inBody}"`);
  const decoded = decodeHeaderValue(name);
  if (decoded === undefined) throw headerMismatch('Mcp-Name is not valid Base64');
  if (decoded !== inBody) throw headerMismatch(`Mcp-Name is "${decoded}", but the body has "${inBody}"`);
}

export interface ParameterHeader {
  argument: string;
  /** As in `x-mcp-header`; sent as `Mcp-Param-<name>`. */
  name: string;
}

export function parameterHeaders(inputSchema: Json): ParameterHeader[] {
  const properties = (inputSchema['properties'] ?? {}) as Record<string, Json>;
  return Object.entries(properties).flatMap(([argument, schema]) =>
    typeof schema['x-mcp-header'] === 'string' ? [{ argument, name: schema['x-mcp-header'] }] : [],
  );
}

export function checkParameterHeaders(declared: readonly ParameterHeader[], args: Json, headers: Headers): void {
  for (const { argument, name } of declared) {
    const value = args[argument];
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const sent = header(headers, PARAM_HEADER_PREFIX + name.toLowerCase());
    if (sent === undefined) throw headerMismatch(`Mcp-Param-${name} is missing; the body has "${argument}"`);
    const decoded = decodeHeaderValue(sent);
    if (decoded === undefined) throw headerMismatch(`Mcp-Param-${name} is not valid Base64`);
    const same = typeof value === 'number' ? Number(decoded) === value : decoded === String(value);
    if (!same) throw headerMismatch(`Mcp-Param-${name} differs from "${argument}" in the body`);
  }
}

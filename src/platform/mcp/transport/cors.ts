import { PARAM_HEADER_PREFIX, header, type Headers } from '../protocol/request-headers.js';

const ALLOWED_HEADERS = `authorization content-type accept mcp-protocol-version mcp-method mcp-name mcp-session-id last-event-id
  x-mcp-tools x-mcp-modules x-mcp-readonly`.split(/\s+/);
const EXPOSED_HEADERS = [
  'www-authenticate',
  'request-id',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-policy',
  'svc-mode',
];
const PREFLIGHT_SECONDS = 7200;
const MAX_PARAMETER_HEADERS = 50;

/** Lets a page of an allowed origin read a response, errors included. The origin has been checked before. */
export function crossOriginHeaders(headers: Headers): Record<string, string> {
  const origin = header(headers, 'origin');
  // Without an origin too: a cache must not serve such a response to a page.
  if (origin === undefined) return { vary: 'Origin' };
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS.join(', ') };
}

/** Headers of the response to a preflight request, which browsers send without the key. */
export function preflightHeaders(headers: Headers): Record<string, string> {
  const { 'access-control-expose-headers': _, ...base } = crossOriginHeaders(headers);
  return {
    ...base,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': [...ALLOWED_HEADERS, ...parameterHeaders(headers)].join(', '),
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}

/** Tools define the names of `Mcp-Param-*` (SEP-2243). CORS has no wildcard with credentials, so the requested ones are echoed. */
function parameterHeaders(headers: Headers): string[] {
  const requested = (header(headers, 'access-control-request-headers') ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return requested.filter((name) => /^[a-z0-9-]{1,80}$/.test(name) && name.startsWith(PARAM_HEADER_PREFIX)).slice(0, MAX_PARAMETER_HEADERS);
}

import { PARAM_HEADER_PREFIX, header, type Headers } from '../protocol/request-headers.js';

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'accept',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
  'x-mcp-tools',
  'x-mcp-modules',
  'x-mcp-readonly',
];
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
const MOST_PARAMETER_HEADERS = 50;

/** What lets a page of an allowed origin read an answer, errors included. The caller has checked the origin. */
export function crossOriginHeaders(headers: Headers): Record<string, string> {
  const origin = header(headers, 'origin');
  // Said also to callers without an origin: a cache must not give their answer to a page.
  if (origin === undefined) return { vary: 'Origin' };
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS.join(', ') };
}

/** The answer to a preflight, which browsers send without the key. */
export function preflightHeaders(headers: Headers): Record<string, string> {
  const { 'access-control-expose-headers': _, ...base } = crossOriginHeaders(headers);
  return {
    ...base,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': [...ALLOWED_HEADERS, ...parameterHeaders(headers)].join(', '),
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}

/** `Mcp-Param-*` (SEP-2243) are named by the tools; CORS knows no wildcard beside credentials, so those asked for are echoed. */
function parameterHeaders(headers: Headers): string[] {
  const asked = (header(headers, 'access-control-request-headers') ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return asked.filter((name) => /^[a-z0-9-]{1,80}$/.test(name) && name.startsWith(PARAM_HEADER_PREFIX)).slice(0, MOST_PARAMETER_HEADERS);
}

import { mcpAddress } from '../../config/mcp-address.js';
import { RESPONSE_MODE } from '../discovery/metadata.js';

/** The parameters of an authorization request that have an effect here. OpenID Connect's are ignored, as unknown ones must be. */
const AUTHORIZATION = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'state', 'code_challenge', 'code_challenge_method'],
  // refused by the library
  'request',
  'request_uri',
];

/** Our own parameter of a request whose client names no scope of this server; clients cannot send it. */
export const NAMES_NO_SCOPE = 'names_no_scope';

/**
 * The query of an authorization request. Clients ask for scopes of other servers (`openid`, `offline_access`) or for none at all, and
 * write the resource with a trailing slash or, before the revision 2025-06-18, not at all. A client that names no scope can get every one,
 * but the page ticks none.
 */
export function normalizedAuthorization(query: URLSearchParams, baseUrl: string, scopes: readonly string[]): URLSearchParams {
  const result = new URLSearchParams();
  for (const name of AUTHORIZATION)
    for (const value of query.getAll(name)) result.append(name, name === 'response_mode' ? offeredMode(value) : value);
  // all other prompts would ask for what every request does
  if (query.get('prompt') === 'none') result.set('prompt', 'none');
  const asked = query.getAll('scope').flatMap((value) => value.split(' '));
  const known = scopes.filter((scope) => asked.includes(scope));
  result.set('scope', (known.length > 0 ? known : scopes).join(' '));
  if (known.length === 0) result.set(NAMES_NO_SCOPE, 'true');
  const resources = query.getAll('resource');
  for (const value of resources.length > 0 ? resources : [mcpAddress(baseUrl)])
    result.append('resource', normalizedResource(value, baseUrl));
  return result;
}

/** The library knows modes that are not offered. It answers an unknown one with an error, to the redirect URI. */
function offeredMode(mode: string): string {
  return mode === '' || mode === RESPONSE_MODE ? mode : 'unsupported';
}

/** The body of a request for tokens. */
export function normalizedToken(body: URLSearchParams, baseUrl: string, scopes: readonly string[]): URLSearchParams {
  const result = new URLSearchParams(body);
  const resources = result.getAll('resource');
  result.delete('resource');
  for (const value of resources) result.append('resource', normalizedResource(value, baseUrl));
  // a refresh with the scopes that were asked for once: those that do not exist here were not granted
  const asked = result.get('scope')?.split(' ');
  const known = asked?.filter((scope) => scopes.includes(scope));
  result.delete('scope');
  if (known !== undefined && known.length > 0) result.set('scope', known.join(' '));
  return result;
}

/** Clients compare the address byte for byte, but some add a slash to it. */
function normalizedResource(value: string, baseUrl: string): string {
  const address = mcpAddress(baseUrl);
  return value === `${address}/` ? address : value;
}

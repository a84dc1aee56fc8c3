import type { Json } from './json.js';

/** The metadata is not acceptable; the code is that of RFC 7591, 3.2.2. */
export class UnacceptableMetadata extends Error {
  constructor(
    readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message);
  }
}

const MOST_REDIRECTS = 20;
const LONGEST_REDIRECT = 2_000;
const LONGEST_NAME = 100;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const AUTHENTICATION = ['none', 'client_secret_post', 'client_secret_basic'];
/** Schemes that browsers and operating systems act on themselves: a redirect to them would run or show what the client wrote. */
const FORBIDDEN_SCHEMES = new Set(
  ['about', 'blob', 'chrome', 'chrome-extension', 'content', 'data', 'file', 'filesystem', 'ftp', 'intent', 'javascript', 'mailto']
    .concat(['moz-extension', 'res', 'resource', 'sms', 'ssh', 'tel', 'vbscript', 'view-source', 'ws', 'wss', 'search-ms', 'ms-settings'])
    .map((scheme) => `${scheme}:`),
);
/** Control characters, and those that reorder or hide text around them. */
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * Reduces a client's metadata to what this server uses. Clients in use ask for grants (`device_code`) and scopes (`openid`) that are not
 * offered, mix app schemes, loopback and https in their redirect URIs, and leave out that they are native apps: all of this is
 * corrected instead of refused, as RFC 7591 permits.
 */
export function acceptableMetadata(given: Json): Json {
  const redirects = redirectUris(given.redirect_uris);
  const name = typeof given.client_name === 'string' ? given.client_name.replace(UNSHOWABLE, ' ').trim().slice(0, LONGEST_NAME).trim() : '';
  return {
    redirect_uris: redirects,
    // an app's loopback address is allowed with any port
    application_type: redirects.every((uri) => uri.startsWith('https:')) ? 'web' : 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(name === '' ? {} : { client_name: name.toWellFormed() }),
  };
}

/** The body of a registration request. */
export function acceptableRegistration(given: Json): Json {
  // RFC 7591: the default
  const method = given.token_endpoint_auth_method ?? 'client_secret_basic';
  if (typeof method !== 'string' || !AUTHENTICATION.includes(method))
    throw new UnacceptableMetadata('invalid_client_metadata', `token_endpoint_auth_method must be one of ${AUTHENTICATION.join(', ')}`);
  return { ...acceptableMetadata(given), token_endpoint_auth_method: method };
}

/** A metadata document, whose client has no secret. */
export function acceptableDocument(given: Json): Json {
  const { client_id, token_endpoint_auth_method: method = 'none', jwks, jwks_uri } = given;
  if (method !== 'none' && method !== 'private_key_jwt')
    throw new UnacceptableMetadata('invalid_client_metadata', 'token_endpoint_auth_method must be none or private_key_jwt');
  const keys = method === 'private_key_jwt' ? { ...(jwks === undefined ? { jwks_uri } : { jwks }) } : {};
  return { client_id, ...acceptableMetadata(given), token_endpoint_auth_method: method, ...keys };
}

function redirectUris(given: unknown): string[] {
  if (!Array.isArray(given) || given.length === 0) throw invalidRedirect('redirect_uris must be a list of at least one URI');
  if (given.length > MOST_REDIRECTS) throw invalidRedirect(`redirect_uris must have at most ${MOST_REDIRECTS} items`);
  return given.map((uri, index) => redirectUri(uri, `redirect_uris[${index}]`));
}

function redirectUri(given: unknown, at: string): string {
  const url = typeof given === 'string' && given.length <= LONGEST_REDIRECT ? URL.parse(given) : null;
  if (url === null) throw invalidRedirect(`${at} must be an absolute URI of at most ${LONGEST_REDIRECT} characters`);
  const { protocol, hostname } = url;
  if (url.href.includes('#')) throw invalidRedirect(`${at} must not have a fragment`);
  if (url.username !== '' || url.password !== '') throw invalidRedirect(`${at} must not have a user name or password`);
  if (FORBIDDEN_SCHEMES.has(protocol)) throw invalidRedirect(`${at} must not use the scheme ${protocol}`);
  if (protocol === 'http:' && !LOOPBACK_HOSTS.has(hostname))
    throw invalidRedirect(`${at} must use https; http is for localhost, 127.0.0.1 and [::1]`);
  return given as string;
}

function invalidRedirect(message: string): UnacceptableMetadata {
  return new UnacceptableMetadata('invalid_redirect_uri', message);
}

/** Where a client returns to: its host, `null` for a program on the visitor's computer, or the scheme of an app. */
export interface ReturnsTo {
  kind: 'host' | 'loopback' | 'app';
  /** With the port, if it is not the usual one. */
  text: string;
}

export function returnsTo(redirectUri: string): ReturnsTo {
  const url = new URL(redirectUri);
  if (url.protocol === 'https:') return { kind: 'host', text: url.host };
  if (url.protocol === 'http:') return { kind: 'loopback', text: url.hostname };
  return { kind: 'app', text: url.protocol };
}

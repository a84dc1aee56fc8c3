import { generateKeyPairSync } from 'node:crypto';
import type { Adapter, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { html, page } from '../../../kit/index.js';
import { SUITE_BRAND } from '../../../kit/internal.js';
import type { Fetch } from '../clients/metadata-fetch.js';
import { CONSOLE_PATHS } from '../../config/console-paths.js';
import { OAUTH_PATHS } from '../discovery/metadata.js';
import { NAMES_NO_SCOPE } from './normalized-requests.js';

type Library = typeof import('oidc-provider');

export interface ServerParts {
  /** The MCP endpoint: the only resource for which tokens are issued. */
  resource: string;
  /** All scopes that it has. */
  scopes: readonly string[];
  adapter: (model: string) => Adapter;
  fetch: Fetch;
  /** Whether the address may cause another read of a metadata document. */
  mayFetch: (address: string) => Promise<boolean>;
  consentPage: (id: string) => string;
}

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const LARGEST_KEY_SET = 16 * 1024;

/** The OAuth library set up as an OAuth 2.1 server: codes with PKCE, rotated refresh tokens, one resource, no OpenID Connect. */
export function configuration({ interactionPolicy, errors }: Library, parts: ServerParts): Configuration {
  const { resource, scopes } = parts;
  const { Prompt, Check } = interactionPolicy;
  const policy = interactionPolicy.base();
  policy.clear();
  // at every connection: an earlier authorization does not apply to the next request of a client with the same name
  const always = new Check('always', 'a member must authorize each connection', 'consent_required', (ctx) => !isAuthorized(ctx));
  policy.add(new Prompt({ name: 'consent', requestable: false }, always));
  return {
    adapter: parts.adapter,
    // the library needs a key, but signs nothing without OpenID Connect
    jwks: {
      keys: [{ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }],
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'], clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA'] },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'],
    // tokens are sent in headers and bodies, so a page of any origin may exchange the codes that it was given
    clientBasedCORS: () => true,
    responseTypes: ['code'],
    extraParams: [NAMES_NO_SCOPE],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    cookies: { names: { session: SESSION_COOKIE, interaction: REQUEST_COOKIE, resume: RESUME_COOKIE }, keys: [] },
    routes: OAUTH_PATHS,
    interactions: { policy, url: (_ctx, { uid }) => parts.consentPage(uid) },
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    expiresWithSession: () => false,
    // also without the scope offline_access, which clients often do not ask for
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    revokeGrantPolicy: () => true,
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      Grant: HOUR,
      IdToken: HOUR,
      Interaction: HOUR,
      // from the last use, for public clients as well
      RefreshToken: 30 * DAY,
      Session: HOUR,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        // the consent page reads it again, outside of a request of the library, for a request that was counted when it was made
        allowFetch: async (ctx: KoaContextWithOIDC | undefined) => ctx === undefined || parts.mayFetch(ctx.ip),
        cacheDuration: { min: 5 * 60, max: HOUR },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, asked) => {
          if (asked !== resource) throw new errors.InvalidTarget('The only resource of this server is its MCP endpoint.');
          return { scope: scopes.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: HOUR };
        },
      },
    },
    fetch: parts.fetch as never,
    fetchResponseBodyLimits: {
      'client_id metadata document': LARGEST_KEY_SET,
      jwks_uri: LARGEST_KEY_SET,
      sector_identifier_uri: 0,
    } as never,
    renderError: (ctx, { error, error_description }) => {
      const { content, options } = errorPage(error, error_description);
      ctx.set(options.headers ?? {});
      ctx.type = 'html';
      ctx.body = content;
    },
  };
}

/** Names of cookies. The first one has no effect, because sessions of the library are not stored. */
export const SESSION_COOKIE = 'svc_oauth_session';
export const REQUEST_COOKIE = 'svc_oauth_request';
export const RESUME_COOKIE = 'svc_oauth_resume';

function isAuthorized({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.result?.consent?.grantId !== undefined;
}

/** Shown instead of a redirect, because nobody vouches for the address to which the request asks to return. */
function errorPage(error: string, description: string | undefined) {
  return page({
    isConsole: true,
    title: 'This app cannot be connected',
    host: null,
    body: html`${SUITE_BRAND}<section class="card"><h1>This app cannot be connected</h1>
<p>Its request to connect is not valid, so nothing was shared with it.</p>
<p>Start again in the app. If that does not help, send its developer these details.</p>
<p class="hint"><code>${error}</code>${description !== undefined && html`: ${description}`}</p></section>
<p class="soft">Are you a member? <a href="${CONSOLE_PATHS.start}">Go to the console</a></p>`,
  });
}

import { mcpAddress } from '../../config/mcp-address.js';

export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
} as const;

/** How the answer to a request for authorization is returned. */
export const RESPONSE_MODE = 'query';

const CLIENT_AUTHENTICATION = ['none', 'client_secret_post', 'client_secret_basic'];

/** The MCP endpoint as an OAuth resource (RFC 9728). */
export function resourceMetadata(baseUrl: string, scopes: readonly string[]): Record<string, unknown> {
  return {
    resource: mcpAddress(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Work suite',
    resource_documentation: `${baseUrl}/docs`,
  };
}

/**
 * The authorization server (RFC 8414). Written here and not by the library, which is loaded by the first client that authorizes:
 * most clients only ask whether there is an authorization server.
 */
export function serverMetadata(baseUrl: string, scopes: readonly string[]): Record<string, unknown> {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + OAUTH_PATHS.authorization,
    token_endpoint: baseUrl + OAUTH_PATHS.token,
    registration_endpoint: baseUrl + OAUTH_PATHS.registration,
    revocation_endpoint: baseUrl + OAUTH_PATHS.revocation,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: [RESPONSE_MODE],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/docs`,
  };
}

/** The path of the MCP endpoint. */
export const MCP_PATH = '/api/v1/ext/mcp';

const METADATA_PREFIX = '/.well-known/oauth-protected-resource';

/** The identifier of the MCP endpoint as an OAuth resource (RFC 8707). Clients compare it with the address they were given. */
export function mcpAddress(baseUrl: string): string {
  return `${baseUrl}${MCP_PATH}`;
}

/** The address of the endpoint's metadata: the well-known path stands between host and path (RFC 9728, 3.1). */
export function mcpMetadataAddress(baseUrl: string): string {
  const { origin, pathname } = new URL(mcpAddress(baseUrl));
  return `${origin}${METADATA_PREFIX}${pathname}`;
}

/** Whether a request's URL is that of the MCP endpoint, with any query. */
export function isMcpPath(url: string): boolean {
  return url.startsWith(MCP_PATH) && (url.length === MCP_PATH.length || url[MCP_PATH.length] === '?');
}

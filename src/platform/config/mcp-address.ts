/** The path of the MCP endpoint. */
export const MCP_PATH = '/api/v1/ext/mcp';

const SLASH = '/'.charCodeAt(0);
const METADATA_PREFIX = '/.well-known/oauth-protected-resource';

/** The identifier of the MCP endpoint as an OAuth resource (RFC 8707). Clients compare it with the address they were given. */
export function mcpAddress(baseUrl: string): string {
  return `${baseUrl}${MCP_PATH}`;
}

/** The address of the endpoint's metadata: the well-known path is between host and path (RFC 9728, 3.1). */
export function mcpMetadataAddress(baseUrl: string): string {
  const { origin, pathname } = new URL(mcpAddress(baseUrl));
  return `${origin}${METADATA_PREFIX}${pathname}`;
}

/** The URL of a request as the routes know it: some clients add a slash to the address of the endpoint. */
export function withoutMcpSlash(url: string): string {
  if (url.charCodeAt(MCP_PATH.length) !== SLASH || !url.startsWith(MCP_PATH)) return url;
  const rest = url.slice(MCP_PATH.length + 1);
  return rest === '' || rest.startsWith('?') ? MCP_PATH + rest : url;
}

/** Whether a request's URL is that of the MCP endpoint, with any query. */
export function isMcpPath(url: string): boolean {
  return url.startsWith(MCP_PATH) && (url.length === MCP_PATH.length || url[MCP_PATH.length] === '?');
}

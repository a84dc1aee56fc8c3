import type { ToolSchema } from '@modelcontextprotocol/core';

// Values of the specification. `protocol.spec.ts` compares them with the official package, which is not imported at
// run time because loading its Zod schemas adds 80 ms to every boot.

export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];
export const FIRST_MODERN_VERSION = '2026-07-28';
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** The revision of a client that sends no version: the next revision introduced the header. */
export const ASSUMED_VERSION = '2025-03-26';
/** The only revision with JSON-RPC batches. */
export const BATCH_VERSION = '2025-03-26';

export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** In `_meta` of the first response to a client: the commit of the code that runs. No member of `serverInfo` is for it. */
export const COMMIT_META = 'work-suite/commit';

export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Before 2026-07-28: any error detected before the message is parsed. */
  serverError: -32000,
  /** Before 2026-07-28. Since then an unknown resource is `invalidParams`. */
  legacyResourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

/** By method, the field of `params` that the `Mcp-Name` header must repeat (SEP-2243). */
export const NAME_HEADER_SOURCE: Readonly<Record<string, string | undefined>> = Object.assign(
  Object.create(null) as Record<string, string>,
  { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' },
);

export type Tool = (typeof ToolSchema)['_output'];
export type Json = Record<string, unknown>;

export interface Revision {
  version: string;
  /** 2026-07-28 and later: stateless, one envelope of `_meta` per request. */
  modern: boolean;
}

export interface ServerInfo {
  name: string;
  title?: string;
  version: string;
}

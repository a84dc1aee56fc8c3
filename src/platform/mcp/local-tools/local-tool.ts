import type { Narrowing } from '../catalog/narrowing.js';
import type { Json, Revision, Tool } from '../protocol/protocol.js';
import type { CatalogueTool } from '../catalog/tool-catalog.js';

export interface McpAuth {
  scopes: ReadonlySet<string>;
  /** The same for two callers exactly when they hold the same scopes. */
  cacheKey: string;
}

/** What one caller may see: the tools whose scopes the key holds, narrowed as asked. */
export interface View {
  tools: readonly CatalogueTool[];
  /** Modules with at least one visible tool. */
  modules: ReadonlySet<string>;
  narrowing: Narrowing;
}

export interface LocalCall {
  arguments: Json;
  /** The whole `params`, for what only a revision's own features use. */
  params: Json;
  revision: Revision;
  view: View;
  /** Sends a notification before the result; absent when the answer is plain JSON. */
  notify: ((message: Json) => void) | undefined;
}

/** A tool the endpoint answers itself, without an HTTP route behind it. */
export interface LocalTool {
  name: string;
  readOnly: boolean;
  /** The answer is an event stream, so that `notify` reaches the client before the result. */
  streams?: boolean;
  /** As listed to this caller; undefined when there is nothing in it for them. */
  definition(view: View): Tool | undefined;
  call(call: LocalCall): Json | Promise<Json>;
}

/** Methods and tools beyond the catalogue: the seam by which the conformance fixtures are served. */
export interface McpExtension {
  capabilities: Json;
  tools: readonly LocalTool[];
  /** They win over the endpoint's own methods of the same name. */
  methods: Readonly<Record<string, (call: LocalCall) => Json | Promise<Json>>>;
  /** A client's answer to a request that one of the tools sent through `notify`. */
  onResponse?(response: Json): void;
}

export function textResult(text: string, structuredContent?: Json): Json {
  return { content: [{ type: 'text', text }], ...(structuredContent === undefined ? {} : { structuredContent }) };
}

export const LOCAL_READ_ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

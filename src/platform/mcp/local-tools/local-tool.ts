import type { CallerFields } from '../catalog/custom-fields.js';
import type { ToolFilter } from '../catalog/tool-filter.js';
import type { Json, Revision, Tool } from '../protocol/protocol.js';
import type { CatalogTool } from '../catalog/tool-catalog.js';

export interface McpAuth {
  scopes: ReadonlySet<string>;
  /** Whether the key demands plans. */
  requiresPlan?: boolean;
  /** Whether the key is bound to a member. */
  hasMember?: boolean;
  /** Equal for two callers exactly when they have the same scopes and custom fields, and when the two above are the same. */
  cacheKey: string;
  /** Absent where no tool is listed. */
  customFields?: CallerFields;
  organizationId?: string;
  /** The project to which the key is bound. */
  projectId?: string | null;
}

/** What one caller sees: the tools that the scopes of the key and the filter allow. */
export interface View {
  tools: readonly CatalogTool[];
  /** Modules with at least one visible tool. */
  modules: ReadonlySet<string>;
  filter: ToolFilter;
  customFields?: CallerFields;
  requiresPlan: boolean;
  hasMember: boolean;
}

export interface LocalCall {
  arguments: Json;
  /** The full `params`, for features of a single revision. */
  params: Json;
  revision: Revision;
  view: View;
  /** Sends a notification before the result; absent when the response is plain JSON. */
  notify: ((message: Json) => void) | undefined;
}

/** A tool that the endpoint handles itself, without an HTTP route. */
export interface LocalTool {
  name: string;
  readOnly: boolean;
  /** The response is an event stream, so that `notify` reaches the client before the result. */
  streams?: boolean;
  /** The definition for this caller; undefined hides the tool. */
  definition(view: View): Tool | undefined;
  call(call: LocalCall): Json | Promise<Json>;
}

/** Methods and tools beyond the catalog. The conformance suites add their fixtures here. */
export interface McpExtension {
  capabilities: Json;
  tools: readonly LocalTool[];
  /** Replace the endpoint's own methods of the same name. */
  methods: Readonly<Record<string, (call: LocalCall) => Json | Promise<Json>>>;
  /** Another text whenever its tools change. */
  version?(): string;
  /** Receives a client's response to a request that a tool sent through `notify`. */
  onResponse?(response: Json): void;
}

export function textResult(text: string): Json {
  return { content: [{ type: 'text', text }] };
}

/** The text is the structured content as JSON. */
export function structuredResult(structuredContent: Json): Json {
  return { ...textResult(JSON.stringify(structuredContent)), structuredContent };
}

export const LOCAL_READ_ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

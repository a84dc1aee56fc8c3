import type { Guides } from '../local-tools/guides.js';
import { instructionsFor } from './instructions.js';
import { RpcError, type RpcRequest } from '../protocol/json-rpc.js';
import type { LocalCall, McpExtension, View } from '../local-tools/local-tool.js';
import { COMMIT_META, MODERN_VERSIONS, RPC, type Json, type Revision, type ServerInfo } from '../protocol/protocol.js';

/** Methods whose results clients may cache (SEP-2549). */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
]);

interface MethodCall {
  params: Json;
  revision: Revision;
  view: View;
}
type Method = (call: MethodCall) => Json | Promise<Json>;

interface MethodOptions {
  serverInfo: ServerInfo;
  commit?: string | null;
  extension?: McpExtension | undefined;
}

/** All methods except `tools/list`, `tools/call` and `subscriptions/listen`. */
export class Methods {
  private readonly modern: ReadonlyMap<string, Method>;
  private readonly legacy: ReadonlyMap<string, Method>;

  constructor({ serverInfo, commit = null, extension }: MethodOptions, guides: Guides) {
    const release = commit === null ? {} : { _meta: { [COMMIT_META]: commit } };
    const capabilities = { tools: { listChanged: true }, resources: {}, ...extension?.capabilities };
    const instructions = ({ view }: MethodCall): string =>
      instructionsFor({
        searchMode: view.filter.searchMode,
        hasGuides: guides.tool.definition(view) !== undefined,
        requiresPlan: view.requiresPlan,
      });
    const shared: [string, Method][] = [
      ['resources/list', ({ view }) => ({ resources: guides.resources(view) })],
      ['resources/templates/list', () => ({ resourceTemplates: [] })],
      ['resources/read', ({ params, view, revision }) => guides.read(params['uri'], view, revision)],
    ];
    const extended = Object.entries(extension?.methods ?? {}).map(([name, method]): [string, Method] => [
      name,
      (call) => method({ ...call, arguments: {}, notify: undefined } satisfies LocalCall),
    ]);
    this.modern = new Map([
      ...shared,
      [
        'server/discover',
        (call) => ({ supportedVersions: [...MODERN_VERSIONS], capabilities, instructions: instructions(call), ...release }),
      ],
      ...extended.filter(([name]) => !REMOVED.has(name)),
    ]);
    this.legacy = new Map([
      ...shared,
      [
        'initialize',
        (call) => ({ protocolVersion: call.revision.version, capabilities, serverInfo, instructions: instructions(call), ...release }),
      ],
      ['ping', () => ({})],
      ...extended,
    ]);
  }

  /** Throws when the revision or this server has no such method. */
  find({ method, params }: RpcRequest, revision: Revision): { cacheable: boolean; call: (view: View) => Json | Promise<Json> } {
    const found = (revision.modern ? this.modern : this.legacy).get(method);
    if (found === undefined) {
      throw new RpcError(RPC.methodNotFound, `Method not found: ${method.slice(0, 100)}`, { httpStatus: revision.modern ? 404 : 200 });
    }
    return { cacheable: CACHEABLE.has(method), call: (view) => found({ params, revision, view }) };
  }
}

/** Methods that 2026-07-28 removed; extensions cannot bring them back. */
const REMOVED = new Set(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

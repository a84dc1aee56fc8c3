import { LRUCache } from 'lru-cache';
import type { LocalTool, McpAuth, View } from '../local-tools/local-tool.js';
import { allows, type ToolFilter } from '../catalog/tool-filter.js';
import type { RequestId } from '../protocol/json-rpc.js';
import { inputFor } from '../catalog/caller-input.js';
import { strictInput } from '../catalog/listed-input.js';
import type { Json, Revision, Tool } from '../protocol/protocol.js';
import type { Results } from './results.js';
import { descriptionFor, type Catalog, type CatalogTool } from '../catalog/tool-catalog.js';

const CACHE_BYTES = 16 * 1024 * 1024;
/**
 * Clients number their messages from 0 and list the tools among the first, so the responses with these ids are kept whole: they are large,
 * and copying them for each request costs more than the rest of it.
 */
const KEPT_IDS = 8;
/** More tools of several modules are found by search unless the caller says `mode=full`. */
const MOST_LISTED = 40;
/** Clients keep the whole listing in the context of a model. */
const BYTES_PER_MODULE = 40 * 1024;
const MOST_CALLERS = 10_000;
const KEPT_BYTES = 4 * 1024 * 1024;

/** The tools that each caller sees, and the serialized listings. */
export class ToolList {
  private readonly cache = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: ({ length }) => length });
  private readonly large = new LRUCache<string, boolean>({ maxSize: MOST_CALLERS, sizeCalculation: () => 1 });
  private readonly kept = new LRUCache<string, Buffer>({ maxSize: KEPT_BYTES, sizeCalculation: ({ length }) => length });

  constructor(
    private readonly catalog: Catalog,
    private readonly results: Results,
  ) {}

  /** The filter with the mode that applies: clients stop at 40 to 128 tools, and connections of several modules have more. */
  withMode(auth: McpAuth, filter: ToolFilter): ToolFilter {
    if (filter.hasMode) return filter;
    const key = `${filter.key} ${auth.cacheKey}`;
    let isLarge = this.large.get(key);
    if (isLarge === undefined) {
      const { tools, modules } = this.view(auth, filter);
      this.large.set(key, (isLarge = modules.size > 1 && tools.length > MOST_LISTED));
    }
    return isLarge ? { ...filter, searchMode: true, key: `${filter.key} search` } : filter;
  }

  view(auth: McpAuth, filter: ToolFilter): View {
    const tools = this.catalog.tools.filter((tool) => holdsScopes(auth, tool) && allows(filter, tool));
    return {
      tools,
      modules: new Set(tools.map((tool) => tool.module)),
      filter,
      customFields: auth.customFields,
      requiresPlan: auth.requiresPlan === true,
      hasMember: auth.hasMember !== false,
    };
  }

  /** The response to `tools/list`. */
  response(id: RequestId, auth: McpAuth, filter: ToolFilter, revision: Revision, localTools: () => readonly LocalTool[]): Buffer {
    const withOutput = revision.modern || filter.outputSchemas;
    const key = `${revision.modern ? 'm' : withOutput ? 'o' : 'l'} ${filter.key} ${auth.cacheKey}`;
    const keptAs = typeof id === 'number' && id >= 0 && id < KEPT_IDS ? `${id} ${key}` : undefined;
    const kept = keptAs === undefined ? undefined : this.kept.get(keptAs);
    if (kept !== undefined) return kept;
    let afterId = this.cache.get(key);
    if (afterId === undefined) this.cache.set(key, (afterId = this.afterId(this.view(auth, filter), withOutput, revision, localTools())));
    const message = Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)}`), afterId]);
    if (keptAs !== undefined) this.kept.set(keptAs, message);
    return message;
  }

  /** The rest of the response after its id. */
  private afterId(view: View, withOutput: boolean, revision: Revision, localTools: readonly LocalTool[]): Buffer {
    const local = localTools.flatMap((tool) => tool.definition(view) ?? []).map((tool) => JSON.stringify(asAsked(tool, view)));
    const tail = revision.modern ? this.results.cacheableTail : '';
    const others = Buffer.byteLength(`${ENVELOPE}${local.join(',')},${tail}}}`);
    const tools = view.filter.searchMode ? [] : fitting(view, withOutput, BYTES_PER_MODULE * view.modules.size - others);
    return Buffer.from(`,"result":{"tools":[${[...tools, ...local].join(',')}]${tail}}}`);
  }
}

/** What stands around the tools, with an id of some length. */
const ENVELOPE = '{"jsonrpc":"2.0","id":"00000000-0000-0000-0000-000000000000","result":{"tools":[]';

interface Entry {
  tool: CatalogTool;
  json: string;
}

/**
 * The listed definitions of all tools, within a number of bytes if it can be kept. Without room for everything, first output schemas are
 * left out, from those that matter least, then the descriptions of the optional members of items with many.
 */
function fitting(view: View, withOutput: boolean, room: number): string[] {
  const visible = new Set(view.tools.map(({ name }) => name));
  const entries: Entry[] = view.tools.map((tool) => ({ tool, json: listed(tool, tool.json, visible, view) }));
  let left = room - sum(entries.map(({ json }) => Buffer.byteLength(json) + 1));
  for (const entry of entries) {
    if (left >= 0) break;
    if (entry.tool.briefJson === undefined) continue;
    const brief = listed(entry.tool, entry.tool.briefJson, visible, view);
    left += Buffer.byteLength(entry.json) - Buffer.byteLength(brief);
    entry.json = brief;
  }
  if (!withOutput) return entries.map(({ json }) => json);
  const withSchemas = entries.flatMap((entry) => (entry.tool.output ? [{ entry, ...entry.tool.output }] : []));
  for (const { entry, json } of withSchemas.toSorted((one, other) => one.rank - other.rank)) {
    const member = `,"outputSchema":${json}`;
    const bytes = Buffer.byteLength(member);
    if (bytes > left) continue;
    left -= bytes;
    entry.json = `${entry.json.slice(0, -1)}${member}}`;
  }
  return entries.map(({ json }) => json);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function listed(tool: CatalogTool, json: string, visible: ReadonlySet<string>, view: View): string {
  const description = descriptionFor(tool, { visible, hasMember: view.hasMember });
  const known = tool.definition.inputSchema as Json;
  if (!view.filter.strict && description === tool.description && inputFor(tool, known, view) === known) return json;
  const whole = JSON.parse(json) as Tool;
  return JSON.stringify(asAsked({ ...whole, description, inputSchema: inputFor(tool, whole.inputSchema as Json, view) } as Tool, view));
}

function asAsked(tool: Tool, { filter }: View): Tool {
  return filter.strict ? ({ ...tool, inputSchema: strictInput(tool.inputSchema as Json) } as Tool) : tool;
}

function holdsScopes(auth: McpAuth, tool: CatalogTool): boolean {
  return tool.scopes.every((scope) => auth.scopes.has(scope));
}

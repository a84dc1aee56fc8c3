import { ByteLru } from './byte-lru.js';
import type { LocalTool, McpAuth, View } from '../local-tools/local-tool.js';
import { allows, type Narrowing } from '../catalog/narrowing.js';
import type { Revision, Tool } from '../protocol/protocol.js';
import type { Results } from './results.js';
import { descriptionFor, type Catalogue, type CatalogueTool } from '../catalog/tool-catalog.js';

const CACHE_BYTES = 16 * 1024 * 1024;

/** What each caller sees, and the bytes of its listing. */
export class ToolList {
  private readonly catalogue: Catalogue;
  private readonly results: Results;
  private readonly cache = new ByteLru(CACHE_BYTES);

  constructor(catalogue: Catalogue, results: Results) {
    this.catalogue = catalogue;
    this.results = results;
  }

  view(auth: McpAuth, narrowing: Narrowing): View {
    const tools = this.catalogue.tools.filter((tool) => holdsScopes(auth, tool) && allows(narrowing, tool));
    return { tools, modules: new Set(tools.map((tool) => tool.module)), narrowing };
  }

  /** `,"result":{...}}`: all of a `tools/list` response behind its id. */
  responseTail(auth: McpAuth, narrowing: Narrowing, revision: Revision, localTools: () => readonly LocalTool[]): Buffer {
    const withOutput = revision.modern || narrowing.outputSchemas;
    const key = `${revision.modern ? 'm' : withOutput ? 'o' : 'l'} ${narrowing.key} ${auth.cacheKey}`;
    const cached = this.cache.get(key);
    if (cached !== undefined) return cached;
    const view = this.view(auth, narrowing);
    const names = new Set(view.tools.map((tool) => tool.name));
    const tools = narrowing.searchMode ? [] : view.tools.map((tool) => listed(tool, withOutput, names));
    const local = localTools()
      .flatMap((tool) => tool.definition(view) ?? [])
      .map((tool) => JSON.stringify(tool));
    const tail = revision.modern ? this.results.cacheableTail : '';
    const bytes = Buffer.from(`,"result":{"tools":[${[...tools, ...local].join(',')}]${tail}}}`);
    this.cache.set(key, bytes);
    return bytes;
  }
}

function listed(tool: CatalogueTool, withOutput: boolean, visible: ReadonlySet<string>): string {
  const json = withOutput ? tool.jsonWithOutput : tool.json;
  const description = descriptionFor(tool, visible);
  return description === tool.description ? json : JSON.stringify({ ...(JSON.parse(json) as Tool), description });
}

function holdsScopes(auth: McpAuth, tool: CatalogueTool): boolean {
  return tool.scopes.every((scope) => auth.scopes.has(scope));
}

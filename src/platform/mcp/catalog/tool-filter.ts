import { FaultError } from '../protocol/fault.js';
import { nearestName } from '../text/nearest-name.js';
import { header, type Headers } from '../protocol/request-headers.js';
import type { Catalog, CatalogTool } from './tool-catalog.js';

/** Which tools the caller asked for, and how. */
export interface ToolFilter {
  /** Part of the cache key of every listing. */
  key: string;
  tools: ReadonlySet<string> | undefined;
  modules: ReadonlySet<string> | undefined;
  readOnly: boolean;
  /** Lists three tools that find, describe and call all others. */
  searchMode: boolean;
  /** Whether the caller chose the mode, which otherwise depends on how many tools it sees. */
  hasMode: boolean;
  outputSchemas: boolean;
  /** Inputs are listed without maps, which OpenAI's strict mode refuses. */
  strict: boolean;
}

export const NO_FILTER: ToolFilter = {
  key: '',
  tools: undefined,
  modules: undefined,
  readOnly: false,
  searchMode: false,
  hasMode: false,
  outputSchemas: false,
  strict: false,
};

const PARAMETERS = ['tools', 'modules', 'read_only', 'mode', 'output_schemas', 'strict'] as const;
const MODES = ['full', 'search'] as const;

export function readToolFilter(
  query: Readonly<Record<string, unknown>>,
  headers: Headers,
  catalog: Catalog,
  localTools: ReadonlySet<string>,
): ToolFilter {
  const toolsHeader = header(headers, 'x-mcp-tools');
  const modulesHeader = header(headers, 'x-mcp-modules');
  const readOnlyHeader = header(headers, 'x-mcp-readonly');
  const inQuery = Object.keys(query);
  if (inQuery.length === 0 && (toolsHeader ?? modulesHeader ?? readOnlyHeader) === undefined) return NO_FILTER;
  const unknown = inQuery.find((name) => !(PARAMETERS as readonly string[]).includes(name));
  if (unknown !== undefined) throw unknownValue('query parameter', unknown, unknown, PARAMETERS);

  const knowsTool = (name: string): boolean => catalog.byName.has(name) || localTools.has(name);
  const tools = intersection(
    names(query['tools'], 'tools', 'tool', knowsTool, () => [...catalog.byName.keys(), ...localTools]),
    names(toolsHeader, 'X-MCP-Tools', 'tool', knowsTool, () => [...catalog.byName.keys(), ...localTools]),
  );
  const knowsModule = (name: string): boolean => catalog.modules.includes(name);
  const modules = intersection(
    names(query['modules'], 'modules', 'module', knowsModule, () => catalog.modules),
    names(modulesHeader, 'X-MCP-Modules', 'module', knowsModule, () => catalog.modules),
  );
  const readOnly = flag(query['read_only'], 'read_only') || flag(readOnlyHeader, 'X-MCP-Readonly');
  const outputSchemas = flag(query['output_schemas'], 'output_schemas');
  const strict = flag(query['strict'], 'strict');
  const mode = query['mode'] ?? 'full';
  if (!(MODES as readonly unknown[]).includes(mode)) throw unknownValue('mode', String(mode), 'mode', MODES);
  const searchMode = mode === 'search';
  const hasMode = query['mode'] !== undefined;
  const key = JSON.stringify([tools && [...tools].sort(), modules && [...modules].sort(), readOnly, searchMode, outputSchemas, strict]);
  return { key, tools, modules, readOnly, searchMode, hasMode, outputSchemas, strict };
}

export function allows(filter: ToolFilter, tool: CatalogTool): boolean {
  return (
    (filter.tools === undefined || filter.tools.has(tool.name)) &&
    (filter.modules === undefined || filter.modules.has(tool.module)) &&
    (!filter.readOnly || tool.readOnly)
  );
}

function names(
  value: unknown,
  param: string,
  kind: string,
  knows: (name: string) => boolean,
  all: () => readonly string[],
): Set<string> | undefined {
  if (value === undefined) return undefined;
  const list = [value]
    .flat()
    .flatMap((part) => String(part).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = list.find((name) => !knows(name));
  if (unknown !== undefined) throw unknownValue(kind, unknown, param, all());
  return new Set(list);
}

function intersection(a: Set<string> | undefined, b: Set<string> | undefined): Set<string> | undefined {
  return a && b ? new Set([...a].filter((name) => b.has(name))) : (a ?? b);
}

function flag(value: unknown, param: string): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw unknownValue('value', String(value), param, ['true', 'false']);
}

const MAX_ALLOWED = 50;

function unknownValue(kind: string, value: string, param: string, allowed: readonly string[]): FaultError {
  const nearest = nearestName(value, allowed);
  return new FaultError({
    code: 'validation_failed',
    message: `unknown ${kind} "${value.slice(0, 100)}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
    param: param.slice(0, 100),
    ...(allowed.length <= MAX_ALLOWED ? { allowed } : {}),
  });
}

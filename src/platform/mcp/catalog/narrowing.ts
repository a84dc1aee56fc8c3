import { FaultError } from '../protocol/fault.js';
import { nearestName } from '../text/nearest-name.js';
import { header, type Headers } from '../protocol/request-headers.js';
import type { Catalogue, CatalogueTool } from './tool-catalog.js';

/** What a caller asked to see less of; a part of the key of every cached listing. */
export interface Narrowing {
  key: string;
  tools: ReadonlySet<string> | undefined;
  modules: ReadonlySet<string> | undefined;
  readOnly: boolean;
  /** Three tools that find, describe and call the others, instead of the others. */
  searchMode: boolean;
  outputSchemas: boolean;
}

export const NO_NARROWING: Narrowing = {
  key: '',
  tools: undefined,
  modules: undefined,
  readOnly: false,
  searchMode: false,
  outputSchemas: false,
};

const PARAMETERS = ['tools', 'modules', 'read_only', 'mode', 'output_schemas'] as const;
const MODES = ['full', 'search'] as const;

export function readNarrowing(
  query: Readonly<Record<string, unknown>>,
  headers: Headers,
  catalogue: Catalogue,
  localTools: ReadonlySet<string>,
): Narrowing {
  const inHeaders = [header(headers, 'x-mcp-tools'), header(headers, 'x-mcp-modules'), header(headers, 'x-mcp-readonly')];
  const inQuery = Object.keys(query);
  if (inQuery.length === 0 && inHeaders.every((value) => value === undefined)) return NO_NARROWING;
  const unknown = inQuery.find((name) => !(PARAMETERS as readonly string[]).includes(name));
  if (unknown !== undefined) throw unknownValue('query parameter', unknown, unknown, PARAMETERS);

  const knowsTool = (name: string): boolean => catalogue.byName.has(name) || localTools.has(name);
  const tools = narrower(
    names(query['tools'], 'tools', 'tool', knowsTool, () => [...catalogue.byName.keys(), ...localTools]),
    names(inHeaders[0], 'X-MCP-Tools', 'tool', knowsTool, () => [...catalogue.byName.keys(), ...localTools]),
  );
  const knowsModule = (name: string): boolean => catalogue.modules.includes(name);
  const modules = narrower(
    names(query['modules'], 'modules', 'module', knowsModule, () => catalogue.modules),
    names(inHeaders[1], 'X-MCP-Modules', 'module', knowsModule, () => catalogue.modules),
  );
  const readOnly = flag(query['read_only'], 'read_only') || flag(inHeaders[2], 'X-MCP-Readonly');
  const outputSchemas = flag(query['output_schemas'], 'output_schemas');
  const mode = query['mode'] ?? 'full';
  if (!(MODES as readonly unknown[]).includes(mode)) throw unknownValue('mode', String(mode), 'mode', MODES);
  const searchMode = mode === 'search';
  const key = JSON.stringify([tools && [...tools].sort(), modules && [...modules].sort(), readOnly, searchMode, outputSchemas]);
  return { key, tools, modules, readOnly, searchMode, outputSchemas };
}

export function allows(narrowing: Narrowing, tool: CatalogueTool): boolean {
  return (
    (narrowing.tools === undefined || narrowing.tools.has(tool.name)) &&
    (narrowing.modules === undefined || narrowing.modules.has(tool.module)) &&
    (!narrowing.readOnly || tool.readOnly)
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

function narrower(a: Set<string> | undefined, b: Set<string> | undefined): Set<string> | undefined {
  return a && b ? new Set([...a].filter((name) => b.has(name))) : (a ?? b);
}

function flag(value: unknown, param: string): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw unknownValue('value', String(value), param, ['true', 'false']);
}

const MOST_ALLOWED = 50;

function unknownValue(kind: string, value: string, param: string, allowed: readonly string[]): FaultError {
  const nearest = nearestName(value, allowed);
  return new FaultError({
    code: 'validation_failed',
    message: `unknown ${kind} "${value.slice(0, 100)}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
    param: param.slice(0, 100),
    ...(allowed.length <= MOST_ALLOWED ? { allowed } : {}),
  });
}

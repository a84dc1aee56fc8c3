import { Readable } from 'node:stream';
import { McpDispatcher } from '../../src/platform/mcp/dispatch/dispatcher.js';
import type { Guide } from '../../src/platform/mcp/local-tools/guides.js';
import { META, MODERN_VERSIONS, type Json } from '../../src/platform/mcp/protocol/protocol.js';
import type { Catalog } from '../../src/platform/mcp/catalog/tool-catalog.js';

export interface ModuleMeasure {
  module: string;
  tools: number;
  /** The size of the response to `tools/list` for a key with every scope of the module, by era and options. */
  listings: Record<string, number>;
  /** The size of the largest answer of `describe_tool`. */
  largestDescription: number;
  /** `tool.property` of every property that is listed without a description, or with one that does not stand alone. */
  undescribed: string[];
  /** What a model's provider refuses in a listed input, as `tool.property: what`. */
  refused: string[];
  /** `tool.property` of what OpenAI's strict mode refuses in an input that is listed for it. */
  notStrict: string[];
  /** `tool.property` of what a refusal names and the tool does not list, or the other way around. */
  misnamed: string[];
  /** Tools that an argument names and that do not exist. */
  missing: string[];
}

/** Measures each module's tools: their number, the sizes of their listings, and what is wrong with their inputs. */
export function measureModules(catalog: Catalog, guides: readonly Guide[] = []): Promise<ModuleMeasure[]> {
  const dispatcher = new McpDispatcher({ catalog, guides, serverInfo: { name: 'work-suite', title: 'Work suite', version: '1.0.0' } });
  return Promise.all(
    catalog.modules.map(async (module) => {
      const tools = catalog.tools.filter((tool) => tool.module === module);
      const scopes = new Set(tools.flatMap((tool) => tool.scopes));
      const listings: Record<string, number> = {};
      const notStrict: string[] = [];
      let plain: Listed[] = [];
      const misnamed: string[] = [];
      for (const isModern of [false, true])
        for (const requiresPlan of [false, true])
          for (const strict of [false, true])
            for (const output of isModern ? [true] : [false, true]) {
              const asked = { scopes, requiresPlan, isModern, query: { strict, output_schemas: output } };
              const text = await answerTo(dispatcher, asked, 'tools/list');
              const names = { modern: isModern, 'asks first': requiresPlan, strict, 'output schemas': output && !isModern };
              const options = Object.entries(names).flatMap(([name, is]) => (is ? [name] : []));
              listings[options.join(', ') || 'legacy'] = Buffer.byteLength(text);
              const { result } = JSON.parse(text) as { result: { tools: Listed[] } };
              if (options.length === 0) plain = result.tools;
              if (strict) notStrict.push(...result.tools.flatMap(({ name, inputSchema }) => mapsIn(inputSchema, name)));
              else if (!isModern && !output) misnamed.push(...(await misnamedIn(dispatcher, asked, result.tools)));
            }
      return {
        module,
        tools: tools.length,
        listings,
        largestDescription: Math.max(...tools.map((tool) => Buffer.byteLength(JSON.stringify(tool.definition)))),
        undescribed: plain.flatMap(({ name, inputSchema }) => undescribed(inputSchema, name)),
        refused: tools.flatMap((tool) => {
          const { inputSchema } = JSON.parse(tool.json) as { inputSchema: Json };
          return [...refusedIn(inputSchema, tool.name), ...hiddenIn(inputSchema, tool.definition.inputSchema as Json, tool.name)];
        }),
        notStrict: [...new Set(notStrict)],
        misnamed,
        missing: tools.flatMap(({ name, definition }) => {
          const named = JSON.stringify(definition.inputSchema).match(/\b(list|get|create|upload)_[a-z0-9_]+/g) ?? [];
          return named.filter((one) => !catalog.byName.has(one)).map((one) => `${name}: ${one}`);
        }),
      };
    }),
  );
}

interface Listed {
  name: string;
  inputSchema: Json;
}

interface Asked {
  scopes: ReadonlySet<string>;
  requiresPlan: boolean;
  isModern: boolean;
  query: Record<string, boolean>;
}

async function misnamedIn(dispatcher: McpDispatcher, asked: Asked, tools: readonly Listed[]): Promise<string[]> {
  const faults = tools.map(async ({ name, inputSchema }) => {
    const text = await answerTo(dispatcher, asked, 'tools/call', { name, arguments: { '?': 0 } });
    const { result } = JSON.parse(text) as { result: { structuredContent: { error: { allowed: string[] } } } };
    const { allowed } = result.structuredContent.error;
    const shown = Object.keys(inputSchema['properties'] as Json);
    const differing = [...shown.filter((one) => !allowed.includes(one)), ...allowed.filter((one) => !shown.includes(one))];
    return differing.map((property) => `${name}.${property}`);
  });
  return (await Promise.all(faults)).flat();
}

async function answerTo(
  dispatcher: McpDispatcher,
  { scopes, requiresPlan, isModern, query }: Asked,
  method: string,
  params: Json = {},
): Promise<string> {
  const [version] = MODERN_VERSIONS;
  const _meta = { [META.protocolVersion]: version, [META.clientCapabilities]: {}, [META.clientInfo]: { name: 'contract', version: '1' } };
  const { body } = await dispatcher.handle({
    headers: isModern ? { 'mcp-protocol-version': version, 'mcp-method': method } : {},
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    body: { jsonrpc: '2.0', id: 1, method, params: isModern ? { ...params, _meta } : params },
    requestId: 'req_1',
    auth: { scopes, requiresPlan, cacheKey: `${requiresPlan} ${[...scopes].join(' ')}` },
    admit: () => undefined,
    openStream: () => Readable.from([]),
    logError: () => undefined,
    call: () => Promise.reject(new Error('nothing here reaches a route')),
  });
  return String(body);
}

function mapsIn({ type, properties, items, anyOf = [] }: Json, path: string): string[] {
  if (type === 'object' && properties === undefined) return [path];
  return [
    ...Object.entries((properties ?? {}) as Record<string, Json>).flatMap(([name, inner]) => mapsIn(inner, `${path}.${name}`)),
    ...[items, ...(anyOf as Json[])].flatMap((inner) => (inner === undefined ? [] : mapsIn(inner as Json, path))),
  ];
}

/** What the server takes, and a client that checks the closed schema refuses. */
function hiddenIn(listed: Json, accepted: Json, tool: string): string[] {
  const names = Object.keys((accepted['properties'] ?? {}) as Json);
  return names.filter((name) => !(name in (listed['properties'] as Json))).map((name) => `${tool}.${name}: not listed`);
}

/** OpenAI, strict: levels of objects. */
const MOST_LEVELS = 10;
/** Gemini. */
const FORMATS = new Set(['date-time', 'enum', 'int32', 'int64', 'float', 'double']);
const KEYWORDS = ['$ref', 'oneOf', 'allOf', 'not', 'const', 'if', 'patternProperties', 'exclusiveMinimum', 'exclusiveMaximum'];

/** What frameworks hand on as it is, and Gemini or OpenAI reject; `npm run test:converters` runs the frameworks themselves. */
function refusedIn(schema: Json, path: string, level = 0): string[] {
  const { type, format, enum: values, properties = {}, items, anyOf = [] } = schema;
  const wrong = [
    ...(Array.isArray(type) ? [`types ${type.join()}`] : []),
    ...(type === undefined && (anyOf as Json[]).length === 0 ? ['no type'] : []),
    ...(format !== undefined && !FORMATS.has(format as string) ? [`format ${String(format)}`] : []),
    ...(((values ?? []) as unknown[]).some((value) => typeof value !== 'string' || value === '')
      ? ['an enum of other values than texts']
      : []),
    ...('properties' in schema && schema.additionalProperties !== false ? ['an open object'] : []),
    ...(level > MOST_LEVELS ? ['too many levels'] : []),
    ...KEYWORDS.filter((keyword) => keyword in schema),
  ];
  return [
    ...wrong.map((what) => `${path}: ${what}`),
    ...Object.entries(properties as Record<string, Json>).flatMap(([name, inner]) => refusedIn(inner, `${path}.${name}`, level + 1)),
    ...[items, ...(anyOf as Json[])].flatMap((inner) => (inner === undefined ? [] : refusedIn(inner as Json, path, level))),
  ];
}

/** Descriptions of one word that say it all; others, such as "Why.", do not stand alone. */
const PLAIN = /^(City|Company|Height|Name|Title|Width)\.$/;

function isDescribed({ description }: Json): boolean {
  return typeof description === 'string' && (description.trim().includes(' ') || PLAIN.test(description));
}

function undescribed(schema: Json, path: string): string[] {
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Json[]);
  if (typeof schema['items'] === 'object') branches.push(schema['items'] as Json);
  return [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(([name, property]) => [
      ...(isDescribed(property) ? [] : [`${path}.${name}`]),
      ...undescribed(property, `${path}.${name}`),
    ]),
    ...branches.flatMap((branch) => undescribed(branch, path)),
  ];
}

/** The keywords of output schemas. */
const CHECKED = new Set(['const', 'enum', 'items', 'properties', 'type']);

/** Where a value does not match an output schema. Compiling all of them takes seconds, and they have few keywords: others are faults. */
export function mismatches(schema: Json, value: unknown, path: string): string[] {
  const unchecked = Object.keys(schema).filter((keyword) => !CHECKED.has(keyword));
  if (unchecked.length > 0) return [`${path} has a schema with ${unchecked.join()}, which nothing checks`];
  const { type, enum: values, const: only, properties, items } = schema;
  const types = [type ?? []].flat() as string[];
  const own = [value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value, ...(Number.isInteger(value) ? ['integer'] : [])];
  if (types.length > 0 && !own.some((one) => types.includes(one))) return [`${path} is ${own.join()} and not ${types.join()}`];
  if (values && !(values as unknown[]).includes(value)) return [`${path} is ${String(value)}`];
  if (only !== undefined && only !== value) return [`${path} is ${String(value)} and not ${String(only)}`];
  if (Array.isArray(value)) return items ? value.flatMap((item) => mismatches(items as Json, item, path)) : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries((properties ?? {}) as Record<string, Json>).flatMap(([name, inner]) =>
    name in value ? mismatches(inner, (value as Json)[name], `${path}.${name}`) : [],
  );
}

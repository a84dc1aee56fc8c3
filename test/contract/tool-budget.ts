import type { Json } from '../../src/platform/mcp/protocol/protocol.js';
import type { Catalog } from '../../src/platform/mcp/catalog/tool-catalog.js';

export interface ModuleMeasure {
  module: string;
  tools: number;
  /** The size of the default tool list for a key with every scope of the module. */
  bytes: number;
  bytesWithOutput: number;
  /** The size of the largest answer of `describe_tool`. */
  largestDescription: number;
  /** `tool.property` of every property without a description. */
  undescribed: string[];
  /** What a model's provider refuses in a listed input, as `tool.property: what`. */
  refused: string[];
}

/** Measures each module's tools: their number, their size and properties without a description. */
export function measureModules(catalog: Catalog): ModuleMeasure[] {
  return catalog.modules.map((module) => {
    const tools = catalog.tools.filter((tool) => tool.module === module);
    const size = (list: string[]): number => Buffer.byteLength(`{"tools":[${list.join(',')}]}`);
    return {
      module,
      tools: tools.length,
      bytes: size(tools.map((tool) => tool.json)),
      bytesWithOutput: size(tools.map((tool) => tool.jsonWithOutput)),
      largestDescription: Math.max(...tools.map((tool) => Buffer.byteLength(JSON.stringify(tool.definition)))),
      undescribed: tools.flatMap((tool) => undescribed(tool.definition.inputSchema as Json, tool.name)),
      refused: tools.flatMap((tool) => {
        const { inputSchema } = JSON.parse(tool.json) as { inputSchema: Json };
        return [...refusedIn(inputSchema, tool.name), ...hiddenIn(inputSchema, tool.definition.inputSchema as Json, tool.name)];
      }),
    };
  });
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

function undescribed(schema: Json, path: string): string[] {
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Json[]);
  if (typeof schema['items'] === 'object') branches.push(schema['items'] as Json);
  return [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(([name, property]) => [
      ...(typeof property['description'] === 'string' ? [] : [`${path}.${name}`]),
      ...undescribed(property, `${path}.${name}`),
    ]),
    ...branches.flatMap((branch) => undescribed(branch, path)),
  ];
}

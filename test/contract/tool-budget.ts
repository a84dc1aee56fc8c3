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
    };
  });
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

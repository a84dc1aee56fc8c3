import { FaultError } from '../protocol/fault.js';
import { LOCAL_READ_ANNOTATIONS, structuredResult, type LocalCall, type LocalTool, type View } from './local-tool.js';
import { nearestName } from '../text/nearest-name.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { Json, Tool } from '../protocol/protocol.js';
import { overviewOf, SearchIndex } from './search-index.js';
import { inputFor } from '../catalog/caller-input.js';
import { descriptionFor, type Catalog } from '../catalog/tool-catalog.js';

export const CALL_TOOL = 'call_tool';
export const CALL_TOOL_ARGUMENTS: ReadonlySet<string> = new Set(['name', 'arguments']);
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

/**
 * The tools of `?mode=search`, for a catalog too large for a model's context: find, describe and call a tool. `listed` are the tools
 * that are listed besides.
 */
export function searchTools(catalog: Catalog, listed: readonly LocalTool[], vocabulary: Vocabulary): LocalTool[] {
  const index = new SearchIndex(catalog.tools, vocabulary);
  return [
    {
      name: 'search_tools',
      readOnly: true,
      definition: () => SEARCH,
      call: (call) => search(index, call),
    },
    {
      name: 'describe_tool',
      readOnly: true,
      definition: () => DESCRIBE,
      call: (call) => describe(listed, call),
    },
    {
      name: CALL_TOOL,
      readOnly: false,
      definition: ({ filter }) => (filter.readOnly ? CALL_READ_ONLY : CALL),
      // `ToolCalls` replaces a valid call_tool by the call it contains, so only one without a name or with other arguments gets here.
      call: () => {
        throw new FaultError({ code: 'missing_fields', message: 'name is required', param: 'name' });
      },
    },
  ];
}

function search(index: SearchIndex, { arguments: args, view }: LocalCall): Json {
  const { query } = args;
  if (typeof query !== 'string' || query.trim() === '') {
    throw new FaultError({ code: 'missing_fields', message: 'query is required', param: 'query' });
  }
  const limit = args['limit'] ?? DEFAULT_LIMIT;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new FaultError({ code: 'validation_failed', message: `limit must be an integer from 1 to ${MAX_LIMIT}`, param: 'limit' });
  }
  const { hasMember } = view;
  const visible = namesOf(view);
  const found = index.search(query, new Set(view.tools), limit);
  const data = (found.length > 0 ? found : overviewOf(view.tools, limit)).map((tool) => ({
    name: tool.name,
    description: descriptionFor(tool, { visible, hasMember }),
    module: tool.module,
    read_only: tool.readOnly,
  }));
  const note = found.length > 0 ? {} : { note: data.length > 0 ? 'No tool matches; these give an overview.' : 'No tool matches.' };
  return structuredResult({ object: 'list', ...note, data, has_more: false });
}

function describe(listed: readonly LocalTool[], { arguments: args, view }: LocalCall): Json {
  const tool = view.tools.find((candidate) => candidate.name === args['name']);
  if (tool !== undefined) {
    const description = descriptionFor(tool, { visible: namesOf(view), hasMember: view.hasMember });
    const { inputSchema, ...rest } = tool.definition;
    return structuredResult({ object: 'tool', ...rest, inputSchema: inputFor(tool, inputSchema as Json, view), description });
  }
  const local = listed.flatMap((one) => one.definition(view) ?? []);
  const definition = local.find(({ name }) => name === args['name']);
  if (definition !== undefined) return structuredResult({ object: 'tool', ...definition });
  const nearest = nearestName(
    String(args['name'] ?? ''),
    [...view.tools, ...local].map(({ name }) => name),
  );
  const hint = nearest === undefined ? '; find one with search_tools' : `; did you mean "${nearest}"?`;
  throw new FaultError({ code: 'validation_failed', message: `name must be the name of a tool${hint}`, param: 'name' });
}

function namesOf(view: View): Set<string> {
  return new Set(view.tools.map(({ name }) => name));
}

const NAME_PROPERTY = { type: 'string', description: 'The name of a tool, as returned by search_tools.' } as const;

const SEARCH: Tool = {
  name: 'search_tools',
  title: 'Search tools',
  description: 'Finds the tools that match the query best. Start here, then use describe_tool, then call_tool.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What you want to do, such as "create a note".' },
      limit: { type: 'integer', description: 'Maximum number of tools.', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    },
    required: ['query'],
    additionalProperties: false,
  },
  annotations: LOCAL_READ_ANNOTATIONS,
};

const DESCRIBE: Tool = {
  name: 'describe_tool',
  title: 'Describe a tool',
  description: 'Returns the full description of a tool and the schemas of its input and output.',
  inputSchema: {
    type: 'object',
    properties: { name: NAME_PROPERTY },
    required: ['name'],
    additionalProperties: false,
  },
  annotations: LOCAL_READ_ANNOTATIONS,
};

// It may call any tool, so its annotations are those of the most dangerous one.
const CALL: Tool = {
  name: CALL_TOOL,
  title: 'Call a tool',
  description: 'Calls a tool by name. Read its input schema with describe_tool first.',
  inputSchema: {
    type: 'object',
    properties: {
      name: NAME_PROPERTY,
      arguments: { type: 'object', description: "The arguments, as defined by the tool's input schema." },
    },
    required: ['name'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

const CALL_READ_ONLY: Tool = { ...CALL, annotations: { ...LOCAL_READ_ANNOTATIONS, openWorldHint: true } };

import { CommonErrors, isObject, isUuid } from '../../../kit/index.js';
import type { CatalogTool } from '../catalog/tool-catalog.js';
import type { Json } from '../protocol/protocol.js';

/** The text for a record that does not exist or that the caller may not see. An error with another text says what is missing. */
const NO_RECORD = CommonErrors.notFound().message;
/** How the numbers of test mode begin. */
const TEST = /^test-/i;

interface Refused {
  tool: CatalogTool;
  args: Json;
  /** Keys of projects that were sent, in upper case, but are those of no project that the caller sees. */
  unknownKeys: readonly string[];
  /** The names of the tools that the caller has. */
  visible: () => ReadonlySet<string>;
  mode: unknown;
}

/**
 * The error of a route with what an agent needs to correct an id: the argument, the tools that find its ids, and the mode of the key if the
 * number seems to be of the other one. Says nothing about whether another caller has the record.
 */
export function withHints(envelope: string, refused: Refused): string {
  const body = JSON.parse(envelope) as { error?: Json };
  const { error } = body;
  if (!isObject(error) || typeof error['message'] !== 'string') return envelope;
  const hinted = error['code'] === 'not_found' ? withArgument(error, refused) : withTools(error, refused);
  return hinted === error ? envelope : JSON.stringify({ ...body, error: hinted });
}

function withArgument(error: Json, refused: Refused): Json {
  if (error['message'] !== NO_RECORD) return error;
  const names = recordsNamed(refused);
  if (names.length === 0) return error;
  const { type, code, message, ...others } = error;
  const [param] = names;
  const sources = names.map((name) => [name, toolsFor(name, refused)] as const).filter(([, tools]) => tools !== '');
  const check = sources.length === names.length ? '' : ` Check ${names.join(' and ')}.`;
  const from = sources.map(([name, tools]) => ` Take ${name} from ${tools}.`).join('');
  return {
    type,
    code,
    message: `${message}${check}${from}${modeHint(names, refused)}`,
    ...(names.length === 1 ? { param } : {}),
    ...others,
  };
}

/** The arguments that name records: those of the path, or else the ids that were sent. */
function recordsNamed({ tool, args }: Refused): string[] {
  const ofPath = tool.binding.path.filter((_, at) => at % 2 === 1);
  return ofPath.length > 0 ? ofPath : [...tool.idsFrom.keys()].filter((name) => args[name] !== undefined);
}

function modeHint(names: readonly string[], { tool, args, mode }: Refused): string {
  const { properties } = tool.definition.inputSchema as { properties: Record<string, Json> };
  const isOther = (name: string): boolean => {
    const value = args[name];
    if (typeof value !== 'string' || isUuid(value)) return false;
    if (TEST.test(value)) return mode !== 'test';
    // SKUs and codes are without the prefix in both modes
    return mode === 'test' && String(properties[name]?.['pattern']).includes('TEST');
  };
  return names.some(isOther) ? ` This key is in ${String(mode)} mode.` : '';
}

function withTools(error: Json, refused: Refused): Json {
  const told = ({ param, message: given }: Json): string => {
    const message = String(given);
    if (typeof param !== 'string' || namesRecords(message)) return message;
    const isProject = refused.tool.projectIds.includes(argumentOf(param));
    const text = isProject ? ofProject(message, param, refused) : message;
    const tools = toolsFor(param, refused);
    return tools === '' || text.includes(tools) ? text : `${text}; take ${isProject ? 'ids or keys' : 'ids'} from ${tools}`;
  };
  const details = (error['details'] ?? []) as Json[];
  const message = told(error);
  if (details.length === 0) return message === error['message'] ? error : { ...error, message };
  return { ...error, message, details: details.map((one) => ({ ...one, message: told(one) })) };
}

/** The route knows ids only, but a tool takes the keys of projects, too. */
function ofProject(message: string, param: string, { args, unknownKeys }: Refused): string {
  const sent = valuesAt(args, param).flatMap((value) => String(value).split(','));
  const keys = sent.map((part) => part.trim()).filter((part) => unknownKeys.includes(part.toUpperCase()));
  if (keys.length === 0) return message;
  const none = keys.length === 1 ? 'is the key of no project' : 'are keys of no project';
  return `${param} has ${keys.join(', ')}, which ${none} that you can use`;
}

/** A list that was sent as a text may be named by the place of an item in it. */
function valuesAt(args: Json, param: string): unknown[] {
  let value: unknown = args;
  for (const name of param.split('.')) value = typeof value === 'object' && value !== null ? (value as Json)[name] : value;
  return [value].flat();
}

/** The error about a number of several records names them with their ids. */
function namesRecords(message: string): boolean {
  return message.split(/[\s,]+/).some((word) => isUuid(word));
}

/** `assignee_ids.0` is an id of `assignee_ids`. */
function argumentOf(param: string): string {
  return param.replaceAll(/\.\d+(?=\.|$)/g, '');
}

function toolsFor(param: string, { tool, visible }: Refused): string {
  return (tool.idsFrom.get(argumentOf(param)) ?? []).filter((name) => visible().has(name)).join(', ');
}

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
  const hint = ({ param, message }: Json): string => {
    if (typeof param !== 'string' || namesRecords(String(message))) return '';
    const tools = toolsFor(param, refused);
    if (tools === '' || String(message).includes(tools)) return '';
    return `; take ${refused.tool.projectIds.includes(argumentOf(param)) ? 'ids or keys' : 'ids'} from ${tools}`;
  };
  const details = (error['details'] ?? []) as Json[];
  const told = [error, ...details].map(hint);
  if (told.every((text) => text === '')) return error;
  const message = `${String(error['message'])}${told[0]}`;
  if (details.length === 0) return { ...error, message };
  return { ...error, message, details: details.map((one, at) => ({ ...one, message: `${String(one['message'])}${told[at + 1]}` })) };
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

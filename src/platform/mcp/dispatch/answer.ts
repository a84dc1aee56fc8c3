import { ALL_FIELDS } from '../catalog/tool-input.js';
import { isObject } from '../protocol/json-rpc.js';
import type { Json } from '../protocol/protocol.js';

/** Members of list items that are left out unless `fields` names them: an agent that picks an item does not need them. */
const BOOKKEEPING = new Set(['object', 'version', 'created_by', 'created_at', 'updated_at', 'position', 'phone_normalized']);
/** Members that identify an item for a person, in the order in which the text shows them. */
const IDENTIFYING = [
  ...['key', 'number', 'code', 'title', 'name', 'full_name', 'label', 'email', 'body', 'text'],
  ...['status_name', 'stage_name', 'status', 'status_group', 'status_kind', 'state', 'kind', 'type', 'priority', 'due_on', 'id'],
];
/** Such a key is accepted wherever an id is, so the text need not show both. */
const NUMBERED_KEY = /^(TEST-)?[A-Z][A-Z0-9]*-\d+$/;
const MAX_TEXT = 200;
const MAX_LISTED_TEXT = 120;
/** Addresses and tokens, which are useless if truncated. */
const ONE_WORD = /^[\x21-\x7e]+$/;

export interface Answer {
  structured: Json;
  text: string;
}

/**
 * The part of the route's response that a tool returns: the items of a list without empty and bookkeeping members and with long texts
 * truncated, or with exactly the members that `fields` names (`*`: all). The text is a compact form: a line per item of a list, or a line
 * per member of an object.
 */
export function answerOf(body: Json, fields: readonly string[] | undefined): Answer {
  const structured = narrowed(body, fields);
  return { structured, text: isList(structured) ? listText(structured, fields) : objectText(structured) };
}

/** Whether the structured content is the body itself, so that its JSON need not be written again. */
export function isUnchanged(body: Json, fields: readonly string[] | undefined): boolean {
  return fields === undefined ? !isList(body) : fields.includes(ALL_FIELDS);
}

/** The text for an object that is returned as it is; null for a list. It is the handler's result, of which the body is the JSON. */
export function wholeText(value: Json): string | null {
  return isList(value) ? null : objectText(value);
}

function narrowed(body: Json, fields: readonly string[] | undefined): Json {
  if (isUnchanged(body, fields)) return body;
  if (isList(body)) return { ...body, data: body.data.map((item) => (fields ? picked(item, fields) : brief(item))) };
  return picked(body, fields as readonly string[]);
}

function isList(body: Json): body is Json & { data: Json[] } {
  const { object, data } = body;
  return object === 'list' && Array.isArray(data) && data.every((item) => isObject(item));
}

function brief(item: Json): Json {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (BOOKKEEPING.has(name) || isEmpty(value) ? [] : [[name, withoutLongTexts(value)]])),
  );
}

/** Long texts are truncated and followed by their length, so that an agent does not take the beginning for the whole. */
function withoutLongTexts(value: unknown): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_LISTED_TEXT || ONE_WORD.test(value)) return value;
    return `${shortened(value, MAX_LISTED_TEXT)} [${value.length} characters]`;
  }
  if (Array.isArray(value)) return value.map(withoutLongTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutLongTexts(member)]));
}

function picked(item: Json, fields: readonly string[]): Json {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name === 'id' || fields.includes(name)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null || value === '';
  return (Array.isArray(value) ? value : Object.keys(value)).length === 0;
}

function listText({ data, has_more, next_cursor, total_count }: Json & { data: Json[] }, fields: readonly string[] | undefined): string {
  const count = total_count === undefined ? '' : ` of ${String(total_count)}`;
  const next = next_cursor === undefined ? 'and more' : `more with cursor ${String(next_cursor)}`;
  const more = has_more === true ? `, ${next}` : '';
  const line = fields ? membersText : itemText;
  return [`${data.length}${count} item${data.length === 1 ? '' : 's'}${more}`, ...data.map(line)].join('\n');
}

function itemText(item: Json): string {
  const isRepeated = (name: string) =>
    name === 'id' ? typeof item['key'] === 'string' && NUMBERED_KEY.test(item['key']) : name === 'status_group' && 'status_name' in item;
  const shown = IDENTIFYING.flatMap((name) => (typeof item[name] === 'string' && !isRepeated(name) ? [shortened(item[name])] : []));
  return shown.length > 1 ? shown.join(' | ') : membersText(item);
}

function membersText(item: Json): string {
  return Object.entries(item)
    .map(([name, value]) => `${name}: ${shortened(textOf(value))}`)
    .join(' | ');
}

const EMPTY_JSON = new Set(['null', '""', '{}', '[]']);

/** Of an object, or of what a handler returns for one, which may have members that are different or absent as JSON. */
function objectText(body: Json): string {
  let text = '';
  // one pass without intermediate arrays: this runs for nearly every call
  for (const name in body) {
    const value = body[name];
    if (value === null || value === '') continue;
    const shown = typeof value === 'string' ? ` ${value}` : memberText(value);
    if (shown !== '') text += `${text === '' ? '' : '\n'}${name}:${shown}`;
  }
  return text;
}

/** What follows the colon for a member that is no text; empty if it has no value. */
function memberText(value: unknown): string {
  // what most members are, without the detour through JSON
  if (typeof value === 'boolean' || Number.isFinite(value)) return ` ${value}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : ` ${value.toISOString()}`;
  if (Array.isArray(value) && value.length === 0) return '';
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined || EMPTY_JSON.has(json)) return '';
  const isText = json.startsWith('"');
  if (!isText && !(isObject(value) && 'has_more' in value)) return ` ${json}`;
  const parsed = JSON.parse(json) as unknown;
  if (isText) return ` ${parsed as string}`;
  return isSection(parsed) ? `\n${listText(parsed, undefined)}` : ` ${json}`;
}

/** A list inside of an object, such as a section of a module's context. */
function isSection(value: unknown): value is Json & { data: Json[] } {
  return isObject(value) && 'has_more' in value && Array.isArray(value['data']) && value['data'].every((item) => isObject(item));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shortened(text: string, length = MAX_TEXT): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}...` : text;
}

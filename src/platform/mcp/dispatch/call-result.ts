import { RESTORABLE_UNTIL as RESTORABLE_UNTIL_HEADER } from '../../http/hooks/response-headers.js';
import type { HttpResponse } from '../../request/server-request.js';
import { doneMember } from '../catalog/done-schema.js';
import type { Json } from '../protocol/protocol.js';
import { answerOf, type AnswerOptions } from './answer.js';

const RESTORABLE_UNTIL = RESTORABLE_UNTIL_HEADER.toLowerCase();

interface ToolRequest {
  method: string;
  url: string;
  parsed: Json | undefined;
  /** How to undo a deletion, such as `restore_note with this id`; undefined if the caller has no tool for it. */
  restoredBy?: string | undefined;
  /** What the caller named in the path: the id, number or key of a record. */
  record?: string | undefined;
}

/**
 * The members of a `CallToolResult` as JSON text, without the closing brace. The text is the structured content as JSON: many clients
 * show a model the text only. `faultResultMembers` has those of errors in JSON.
 */
export function callResultMembers(response: HttpResponse, { url, parsed, ...called }: AnswerOptions & ToolRequest): string {
  const isError = response.status >= 400 ? ',"isError":true' : '';
  const contentType = String(response.headers['content-type'] ?? '');
  if (response.body.length === 0) {
    if (response.status >= 400) return `{"content":[]${isError}`;
    return structuredMembers(JSON.stringify(doneAnswer(called, response.headers[RESTORABLE_UNTIL])));
  }
  if (isJson(response)) {
    if (parsed === undefined) return `{"content":[${textContent(response.body.toString())}]`;
    return structuredMembers(JSON.stringify(answerOf(parsed, called)));
  }
  if (contentType.startsWith('text/')) return `{"content":[${textContent(response.body.toString())}]${isError}`;
  const blob = Buffer.from(response.body).toString('base64');
  // an absolute URI: clients reject the whole result otherwise (python-sdk)
  const resource = { uri: `api://${url}`, mimeType: contentType || 'application/octet-stream', blob };
  return `{"content":[${JSON.stringify({ type: 'resource', resource })}]${isError}`;
}

export function isJson({ headers }: HttpResponse): boolean {
  return String(headers['content-type'] ?? '').startsWith('application/json');
}

/** The body, if it is an object: before 2026-07-28 structured content must be one. Every REST body is. */
export function bodyOf({ body }: HttpResponse): Json | undefined {
  const json = body.toString();
  return json.startsWith('{') ? (JSON.parse(json) as Json) : undefined;
}

function structuredMembers(answer: string): string {
  return `{"content":[${textContent(answer)}],"structuredContent":${answer}`;
}

/** What a tool answers if its route answers nothing, as `doneSchema` declares it: an agent that gets an empty result calls again. */
function doneAnswer(
  { method, record, restoredBy }: Pick<ToolRequest, 'method' | 'record' | 'restoredBy'>,
  restorable_until: unknown,
): Json {
  const done: Json = { [doneMember(method)]: true, ...(record === undefined ? {} : { id: record }) };
  if (restoredBy === undefined || typeof restorable_until !== 'string') return done;
  const day = restorable_until.slice(0, 10);
  return { ...done, message: `Deleted. ${restoredBy} restores it until ${day}.`, restorable_until };
}

/**
 * The `param` of errors about headers that are arguments (see `catalog/tool-input.ts`). A quote inside a JSON string is
 * escaped, so only the member itself matches.
 */
const HEADER_PARAMS: readonly [RegExp, string][] = [
  [/"param":"Idempotency-Key"/g, '"param":"idempotency_key"'],
  [/"param":"If-Match"/g, '"param":"if_match"'],
  [/"param":"Svc-Dry-Run"/g, '"param":"dry_run"'],
  [/"param":"Svc-Plan-Token"/g, '"param":"plan_token"'],
];

export function withArgumentNames(envelope: string): string {
  return HEADER_PARAMS.reduce((json, [param, argument]) => json.replace(param, argument), envelope);
}

export function faultResultMembers(envelope: string): string {
  return `{"content":[${textContent(envelope)}],"structuredContent":${envelope},"isError":true`;
}

function textContent(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`;
}

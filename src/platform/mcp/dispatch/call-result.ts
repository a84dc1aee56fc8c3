import { RESTORABLE_UNTIL as RESTORABLE_UNTIL_HEADER } from '../../http/hooks/response-headers.js';
import type { HttpResponse } from '../../request/server-request.js';
import type { Json } from '../protocol/protocol.js';
import { answerOf, type Shown } from './answer.js';

const RESTORABLE_UNTIL = RESTORABLE_UNTIL_HEADER.toLowerCase();

interface Called {
  method: string;
  url: string;
  parsed: Json | undefined;
  /** The tool that undoes a deletion; undefined if the caller has none. */
  restoredBy?: string | undefined;
}

/**
 * The members of a `CallToolResult` as JSON text, without the closing brace. The text is the structured content as JSON: many clients
 * show a model the text only. Errors are the envelope in both.
 */
export function callResultMembers(response: HttpResponse, { method, url, parsed, restoredBy, ...shown }: Shown & Called): string {
  const isError = response.status >= 400 ? ',"isError":true' : '';
  const contentType = String(response.headers['content-type'] ?? '');
  if (response.body.length === 0) {
    const until = response.headers[RESTORABLE_UNTIL];
    if (restoredBy !== undefined && typeof until === 'string') return structuredMembers(JSON.stringify(deletedUntil(until, restoredBy)));
    return `{"content":[${response.status < 400 ? textContent(doneText(method)) : ''}]${isError}`;
  }
  if (isJson(response)) {
    if (response.status >= 400) return faultResultMembers(withArgumentNames(response.body.toString()));
    if (parsed === undefined) return `{"content":[${textContent(response.body.toString())}]`;
    return structuredMembers(JSON.stringify(answerOf(parsed, shown)));
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

function deletedUntil(restorable_until: string, restoredBy: string): Json {
  const day = restorable_until.slice(0, 10);
  return { message: `Deleted. ${restoredBy} with this id restores it until ${day}.`, restorable_until };
}

/** An agent that gets an empty result calls again. */
function doneText(method: string): string {
  return method === 'DELETE' ? 'Deleted.' : 'Done.';
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

function withArgumentNames(envelope: string): string {
  return HEADER_PARAMS.reduce((json, [param, argument]) => json.replace(param, argument), envelope);
}

export function faultResultMembers(envelope: string): string {
  return `{"content":[${textContent(envelope)}],"structuredContent":${envelope},"isError":true`;
}

function textContent(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`;
}

import type { HttpResponse } from '../../request/server-request.js';
import type { Json } from '../protocol/protocol.js';
import { answerOf, type Shown } from './answer.js';

/**
 * The members of a `CallToolResult` as JSON text, without the closing brace. The text is the structured content as JSON: many clients
 * show a model the text only. Errors are the envelope in both.
 */
export function callResultMembers(
  response: HttpResponse,
  { method, url, parsed, ...shown }: Shown & { method: string; url: string; parsed: Json | undefined },
): string {
  const isError = response.status >= 400 ? ',"isError":true' : '';
  const contentType = String(response.headers['content-type'] ?? '');
  if (response.body.length === 0) return `{"content":[${response.status < 400 ? textContent(doneText(method)) : ''}]${isError}`;
  if (isJson(response)) {
    if (response.status >= 400) return faultResultMembers(withArgumentNames(response.body.toString()));
    if (parsed === undefined) return `{"content":[${textContent(response.body.toString())}]`;
    const answer = JSON.stringify(answerOf(parsed, shown));
    return `{"content":[${textContent(answer)}],"structuredContent":${answer}`;
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

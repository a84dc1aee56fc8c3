import type { HttpResponse } from '../../request/server-request.js';
import { ALL_FIELDS } from '../catalog/tool-input.js';
import { isObject } from '../protocol/json-rpc.js';
import type { Json } from '../protocol/protocol.js';
import { answerOf, isUnchanged, wholeText } from './answer.js';

/**
 * The members of a `CallToolResult` as JSON text, without the closing brace. The route's JSON is inserted as it is unless the
 * answer is narrower: serializing it again would take as long as the rest of the call. Errors are the envelope in both forms.
 */
export function callResultMembers(
  response: HttpResponse,
  { method, url, fields }: { method: string; url: string; fields?: readonly string[] },
): string {
  const isError = response.status >= 400 ? ',"isError":true' : '';
  const contentType = String(response.headers['content-type'] ?? '');
  if (response.body.length === 0) return `{"content":[${response.status < 400 ? textContent(doneText(method)) : ''}]${isError}`;
  if (contentType.startsWith('application/json')) {
    const json = response.body.toString();
    if (response.status >= 400) return faultResultMembers(withArgumentNames(json));
    // Before 2026-07-28 structured content must be an object; every REST body is one.
    if (!json.startsWith('{')) return `{"content":[${textContent(json)}]`;
    const text = method === 'GET' && fields === undefined && isObject(response.result) ? wholeText(response.result) : null;
    if (text !== null) return `{"content":[${textContent(text)}],"structuredContent":${json}`;
    const body = JSON.parse(json) as Json;
    // only tools that read have the argument `fields`, by which the rest of a narrower list can be had
    const shown = method === 'GET' ? fields : [ALL_FIELDS];
    const { structured, text: shownText } = answerOf(body, shown);
    return `{"content":[${textContent(shownText)}],"structuredContent":${isUnchanged(body, shown) ? json : JSON.stringify(structured)}`;
  }
  if (contentType.startsWith('text/')) return `{"content":[${textContent(response.body.toString())}]${isError}`;
  const blob = Buffer.from(response.body).toString('base64');
  // an absolute URI: clients reject the whole result otherwise (python-sdk)
  const resource = { uri: `api://${url}`, mimeType: contentType || 'application/octet-stream', blob };
  return `{"content":[${JSON.stringify({ type: 'resource', resource })}]${isError}`;
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

import type { HttpResponse } from '../../http/inner-call.js';

/**
 * The members of a `CallToolResult` as JSON text, without the closing brace. The route's JSON is spliced as it came: parsing
 * and printing it again would cost more than all the rest of a call.
 */
export function callResultMembers(answer: HttpResponse, { method, url }: { method: string; url: string }): string {
  const isError = answer.status >= 400 ? ',"isError":true' : '';
  const contentType = String(answer.headers['content-type'] ?? '');
  if (answer.body.length === 0) return `{"content":[${answer.status < 400 ? textContent(doneText(method)) : ''}]${isError}`;
  if (contentType.startsWith('application/json')) {
    const json = answer.status < 400 ? answer.body.toString() : withArgumentNames(answer.body.toString());
    // Only an object may be structured content before 2026-07-28, and every REST body is one.
    const structured = json.startsWith('{') ? `,"structuredContent":${json}` : '';
    return `{"content":[${textContent(json)}]${structured}${isError}`;
  }
  if (contentType.startsWith('text/')) return `{"content":[${textContent(answer.body.toString())}]${isError}`;
  const blob = Buffer.from(answer.body).toString('base64');
  // a URI that is no mere path, or clients refuse the whole result (python-sdk takes no other)
  const resource = { uri: `api://${url}`, mimeType: contentType || 'application/octet-stream', blob };
  return `{"content":[${JSON.stringify({ type: 'resource', resource })}]${isError}`;
}

/** An agent that is told nothing calls again. */
function doneText(method: string): string {
  return method === 'DELETE' ? 'Deleted.' : 'Done.';
}

/** Of the headers that are arguments, see `catalog/tool-input.ts`. A quote within a value is escaped, so only the member itself matches. */
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

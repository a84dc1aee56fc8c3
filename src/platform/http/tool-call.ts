import type { IncomingMessage, ServerResponse } from 'node:http';
import { become, callForTool, type InnerCall, type Routing } from './inner-call.js';
import type { HttpResponse, McpCall, ResponseHeaders, ServerRequest } from '../request/server-request.js';

/** The request of a tool call to the tool's route. */
export interface CallRequest extends InnerCall {
  toolName: string;
}

/** The endpoint's headers that identify the caller and its address; the others describe the JSON-RPC message. */
const INHERITED_HEADERS = ['authorization', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'];

/** Headers of the route's response that the endpoint's response has, too. */
export const FORWARDED_HEADERS: ReadonlySet<string> = new Set([
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-policy',
  'retry-after',
  'request-id',
  'svc-mode',
  'connection',
]);

export function forwardedHeaders(headers: HttpResponse['headers']): ResponseHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => FORWARDED_HEADERS.has(name)));
}

/** Calls the route while the request to the endpoint waits, which may make several calls. */
export function callInProcess(routing: Routing, outer: IncomingMessage, call: CallRequest): Promise<HttpResponse> {
  const mcpCall = { toolName: call.toolName, outer, result: undefined, respond: undefined };
  return callForTool(routing, { ...call, headers: headersOf(call, outer) }, mcpCall);
}

/**
 * Turns a request to the endpoint whose body has been taken into the request to the tool's route, and the response of the route into the
 * endpoint's (see `answer-in-place.ts`). A call in process costs a second request and response.
 */
export function callInPlace(
  routing: Routing,
  request: ServerRequest,
  response: ServerResponse,
  call: CallRequest,
  respond: McpCall['respond'],
): void {
  const headers = headersOf(call, request);
  const accepted = request.headers['accept-encoding'];
  if (accepted !== undefined) headers['accept-encoding'] = String(accepted);
  request.mcpCall = { toolName: call.toolName, outer: request, result: undefined, respond };
  become(request, { method: call.method, url: call.url, headers, body: call.body });
  routing(request, response);
}

function headersOf(call: CallRequest, { headers: given }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', ...call.headers };
  for (const name of INHERITED_HEADERS) {
    const value = given[name];
    if (value !== undefined) headers[name] = String(value);
  }
  return headers;
}

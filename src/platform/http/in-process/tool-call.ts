import type { IncomingMessage } from 'node:http';
import { callForTool, type InnerCall, type Routing } from './inner-call.js';
import type { HttpResponse, McpCall, ResponseHeaders } from '../../request/server-request.js';

/** The request of a tool call to the tool's route. */
export interface CallRequest extends InnerCall {
  toolName: string;
  withIds?: McpCall['withIds'];
}

/** The endpoint's headers that identify the caller, its address and its test clock; the others describe the JSON-RPC message. */
const INHERITED_HEADERS = [
  'svc-test-clock',
  'authorization',
  'host',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
];

/** Headers of the route's response that the endpoint's response has, too. */
const FORWARDED_HEADERS: ReadonlySet<string> = new Set([
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
  const mcpCall = { toolName: call.toolName, outer, withIds: call.withIds };
  return callForTool(routing, { ...call, headers: headersOf(call, outer) }, mcpCall);
}

function headersOf(call: CallRequest, { headers: given }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', ...call.headers };
  for (const name of INHERITED_HEADERS) {
    const value = given[name];
    if (value !== undefined) headers[name] = String(value);
  }
  return headers;
}

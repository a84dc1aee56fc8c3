import type { Readable } from 'node:stream';
import { STREAM_HEADERS } from '../../event-streams/open-stream.js';
import type { CallResponse, HttpResponse, ResponseHeaders } from '../../request/server-request.js';
import type { CallRequest } from '../../http/in-process/tool-call.js';
import type { StreamFrames } from '../list-changes/stream-frames.js';
import type { LoggedError } from '../protocol/json-rpc.js';
import type { McpAuth } from '../local-tools/local-tool.js';
import type { ToolFilter } from '../catalog/tool-filter.js';
import type { Revision } from '../protocol/protocol.js';
import type { Headers } from '../protocol/request-headers.js';

/** Also for responses that do not pass through the HTTP pipeline. */
const JSON_HEADERS: Readonly<ResponseHeaders> = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Calls a route in process, through the HTTP pipeline, with the caller's key and address. */
type CallTool = (request: CallRequest) => Promise<HttpResponse>;

export interface McpRequest {
  headers: Headers;
  query: Readonly<Record<string, unknown>>;
  /** The raw body, or the parsed one. */
  body: unknown;
  requestId: string;
  auth: McpAuth;
  call: CallTool;
  /** Counts and logs a message that no route handles. Called before the message is handled; its errors pass through. */
  admit(message: { method: string | undefined; toolName: string | undefined }): void | Promise<void>;
  /** Opens a stream that says when the caller's list of tools changes. Throws if the key has too many. */
  openStream(frames: StreamFrames): Readable;
  /** Sets the error in the log entry of the message, since the HTTP status of the response may be 200. */
  logError(error: LoggedError): void;
}

export interface McpResponse {
  status: number;
  headers: Readonly<ResponseHeaders>;
  body: string | Buffer | Readable | undefined;
}

/** One message and the request that carries it. */
export interface Exchange {
  request: McpRequest;
  filter: ToolFilter;
  revision: Revision;
  batched: boolean;
}

/** How a message will be handled: decided before anything is counted or executed. */
export type Step = RoutedStep | LocalStep;

/** A route handles, counts and logs it. */
export interface RoutedStep {
  routed: true;
  call: CallRequest;
  /** Its headers are added to those that are forwarded (`http/in-process/tool-call.ts`). */
  respond(response: HttpResponse): Promise<CallResponse>;
}

export interface LocalStep {
  routed: false;
  method?: string;
  toolName?: string;
  run(): McpResponse | Promise<McpResponse>;
}

export function jsonResponse(body: string | Buffer, status = 200, headers?: ResponseHeaders): CallResponse {
  return { status, headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }, body };
}

/** Server-sent events. */
export function streamResponse(body: string | Readable): McpResponse {
  return { status: 200, headers: { 'content-type': 'text/event-stream', ...STREAM_HEADERS }, body };
}

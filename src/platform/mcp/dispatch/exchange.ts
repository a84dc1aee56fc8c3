import type { Readable } from 'node:stream';
import type { CallRequest, HttpResponse } from '../../http/inner-call.js';
import type { Refusal } from '../protocol/json-rpc.js';
import type { McpAuth } from '../local-tools/local-tool.js';
import type { Narrowing } from '../catalog/narrowing.js';
import type { Revision } from '../protocol/protocol.js';
import type { Headers } from '../protocol/request-headers.js';

/** Re-enters the HTTP pipeline in process, with the caller's key and address. */
export type CallTool = (request: CallRequest) => Promise<HttpResponse>;

export interface McpRequest {
  headers: Headers;
  query: Readonly<Record<string, unknown>>;
  /** The raw body, or what was parsed from it. */
  body: unknown;
  requestId: string;
  auth: McpAuth;
  call: CallTool;
  /** Counts and logs a message that no route will: called before it is answered; what it throws passes through. */
  admit(message: { method: string | undefined; toolName: string | undefined }): void | Promise<void>;
  /** Notes for the log that the message was refused, since the HTTP status of the answer may be 200. */
  refused(refusal: Refusal): void;
}

export interface McpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer | Readable | undefined;
}

/** One message on its way through the endpoint. */
export interface Exchange {
  request: McpRequest;
  narrowing: Narrowing;
  revision: Revision;
  batched: boolean;
}

/** What will answer a message: known before anything is counted or executed. */
export interface Step {
  method?: string;
  toolName?: string;
  /** A route answers it, and counts and logs it. */
  routed: boolean;
  run(): McpResponse | Promise<McpResponse>;
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const;

export function jsonResponse(body: string | Buffer, status = 200, headers?: Readonly<Record<string, string>>): McpResponse {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body };
}

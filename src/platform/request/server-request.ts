import { IncomingMessage } from 'node:http';

export type ResponseHeaders = Record<string, string | string[] | number | undefined>;

export interface HttpResponse {
  status: number;
  headers: Readonly<ResponseHeaders>;
  body: string | Buffer;
}

/** The response at the MCP endpoint to a tool call. */
export type CallResponse = Pick<HttpResponse, 'status' | 'headers' | 'body'>;

/** The tool call that a request to a route belongs to. */
export interface McpCall {
  toolName: string;
  /** The request at the MCP endpoint that contains the call. */
  outer: IncomingMessage;
  /** Replaces what stands in the query and the body for the ids of records, in place. Undefined if nothing does. */
  withIds?: ((parts: readonly unknown[]) => Promise<void>) | undefined;
}

/**
 * Every request, of a client or in process. All have the same properties from the beginning: code that V8 has optimized for objects of
 * one form is slower for others. No client can set them.
 */
export class ServerRequest extends IncomingMessage {
  /** Set on requests that a tool call makes. */
  mcpCall: McpCall | undefined = undefined;
  /** The cache key that `KeyAuthenticator.peek` found: hashing a secret takes as long as validating a request. */
  peekedKey: string | undefined = undefined;
}

export function mcpCallOf(request: IncomingMessage): McpCall | undefined {
  return (request as ServerRequest).mcpCall;
}

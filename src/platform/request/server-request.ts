import { IncomingMessage } from 'node:http';

export type ResponseHeaders = Record<string, string | string[] | number | undefined>;

export interface HttpResponse {
  status: number;
  headers: Readonly<ResponseHeaders>;
  body: string | Buffer;
  /** What the handler returned, if the body is its JSON. Kept only for tool calls. */
  result?: unknown;
}

/** The response at the MCP endpoint to a tool call. */
export interface CallResponse {
  status: number;
  headers: Readonly<ResponseHeaders>;
  body: string | Buffer;
}

/** The tool call that a request to a route belongs to. */
export interface McpCall {
  toolName: string;
  /** The request at the MCP endpoint that contains the call; the request itself, if the call is in place. */
  outer: IncomingMessage;
  /** What the handler returned, if the body is its JSON: the text of a result is made of it, without parsing the body. */
  result: unknown;
  /** Of a call in place that has no response yet: makes the endpoint's response of the route's. */
  respond: ((response: HttpResponse) => CallResponse) | undefined;
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
  private taken: { chunks: Buffer[]; onBody(body: Buffer): void } | undefined = undefined;

  /**
   * Calls back with the body instead of having it read as a stream, which costs more. The request then has no body until `putBody` is
   * called. Call it in the event `request`, before any of the body has arrived. There is no callback if the client aborts the request.
   */
  takeBody(onBody: (body: Buffer) => void): void {
    this.taken = { chunks: [], onBody };
  }

  /** Makes the whole body readable. */
  putBody(body: Buffer | undefined): void {
    if (body !== undefined) super.push(body);
    super.push(null);
  }

  /** Receives the body from Node's parser in chunks, then null. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.taken === undefined) return super.push(chunk, encoding);
    const { chunks, onBody } = this.taken;
    if (chunk !== null) return chunks.push(chunk) > 0;
    this.taken = undefined;
    onBody(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    return true;
  }
}

export function mcpCallOf(request: IncomingMessage): McpCall | undefined {
  return (request as ServerRequest).mcpCall;
}

import { EventEmitter } from 'node:events';
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { isObject } from '../../../kit/index.js';
import { ServerRequest, type HttpResponse, type McpCall } from '../../request/server-request.js';

/** A request that is made in process. */
export interface InnerCall {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export type Routing = (request: IncomingMessage, response: ServerResponse) => void;

/** Whether it is part of a request that is being handled. */
export function isInner({ socket }: IncomingMessage): boolean {
  return socket instanceof InnerSocket;
}

/** Whether a page that was charged to its member makes the request, in process. */
export function isPartOfPage({ socket }: IncomingMessage): boolean {
  return socket instanceof InnerSocket && socket.partOfPage;
}

/** Runs the request of a tool call. */
export function callForTool(routing: Routing, call: InnerCall, mcpCall: McpCall): Promise<HttpResponse> {
  return run(routing, new InnerSocket(mcpCall.outer.socket), call, mcpCall);
}

/** Runs a request that a page makes for its member, with exactly the given headers. */
export function callForPage(routing: Routing, outer: IncomingMessage, call: InnerCall): Promise<HttpResponse> {
  return run(routing, new InnerSocket(outer.socket, true), call);
}

/** Runs a request through the request listener of a library, with exactly the given headers. */
export function callListener(listener: Routing, outer: IncomingMessage, call: InnerCall): Promise<HttpResponse> {
  return run(listener, new InnerSocket(outer.socket), call);
}

/**
 * Runs a request through the server's router, with every hook, guard and handler, without a socket. It replaces `inject` of
 * light-my-request at a quarter of the cost.
 */
function run(routing: Routing, socket: InnerSocket, call: InnerCall, mcpCall?: McpCall): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const request = innerRequest(socket, call);
    request.mcpCall = mcpCall;
    const response = new InnerResponse(request, resolve);
    response.on('error', reject);
    routing(request, response);
  });
}

/** What an in-process request has instead of a connection: the client's address at the endpoint, and what the request is part of. */
class InnerSocket extends EventEmitter {
  readonly destroyed = false;
  readonly readable = true;
  readonly writable = true;

  constructor(
    private readonly outer: Socket & { encrypted?: boolean },
    readonly partOfPage = false,
  ) {
    super();
  }

  get remoteAddress(): string | undefined {
    return this.outer.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.outer.remotePort;
  }

  get localAddress(): string | undefined {
    return this.outer.localAddress;
  }

  get localPort(): number | undefined {
    return this.outer.localPort;
  }

  get encrypted(): boolean {
    return this.outer.encrypted === true;
  }

  setTimeout(): this {
    return this;
  }

  destroy(): this {
    return this;
  }
}

function innerRequest(socket: InnerSocket, { method, url, headers, body }: InnerCall): ServerRequest {
  const request = new ServerRequest(socket as unknown as Socket);
  request.httpVersion = '1.1';
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.complete = true;
  const bytes = body === undefined ? undefined : Buffer.from(body);
  request.method = method;
  request.url = url;
  request.headers = bytes === undefined ? headers : { ...headers, 'content-length': String(bytes.length) };
  if (bytes !== undefined) request.push(bytes);
  request.push(null);
  return request;
}

type WriteCallback = (error?: Error | null) => void;

/** Collects what is written instead of sending it. */
class InnerResponse extends ServerResponse {
  private readonly chunks: (string | Buffer)[] = [];
  private readonly settle: (response: HttpResponse) => void;
  private written: OutgoingHttpHeaders = {};
  headWritten = false;

  constructor(request: IncomingMessage, settle: (response: HttpResponse) => void) {
    super(request);
    this.settle = settle;
  }

  override writeHead(statusCode: number, ...rest: unknown[]): this {
    this.statusCode = statusCode;
    const headers = rest.at(-1);
    if (isObject(headers)) this.written = headers as OutgoingHttpHeaders;
    this.headWritten = true;
    return this;
  }

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    this.collect(chunk, encoding);
    const done = (typeof encoding === 'function' ? encoding : callback) as WriteCallback | undefined;
    if (done) process.nextTick(done);
    return true;
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (this.finished) return this;
    if (typeof chunk !== 'function') this.collect(chunk, encoding);
    this.finished = true;
    const done = [chunk, encoding, callback].find((argument) => typeof argument === 'function') as (() => void) | undefined;
    // Fastify passes all headers to writeHead
    const headers = (
      this.getHeaderNames().length === 0 ? this.written : { ...this.getHeaders(), ...this.written }
    ) as HttpResponse['headers'];
    this.settle({ status: this.statusCode, headers, body: this.body() });
    process.nextTick(() => {
      this.emit('finish');
      this.emit('close');
      done?.();
    });
    return this;
  }

  override destroy(error?: Error): this {
    if (!this.finished) this.emit('error', error ?? new Error('The response was destroyed before its end'));
    return this;
  }

  private collect(chunk: unknown, encoding: unknown): void {
    if (chunk === undefined || chunk === null || chunk === '') return;
    if (typeof chunk === 'string')
      this.chunks.push(typeof encoding === 'string' && encoding !== 'utf8' ? Buffer.from(chunk, encoding as BufferEncoding) : chunk);
    else this.chunks.push(Buffer.from(chunk as Uint8Array));
  }

  /** JSON is written as one string and returned as one. */
  private body(): string | Buffer {
    return this.chunks.length === 1
      ? this.chunks[0]
      : Buffer.concat(this.chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
  }
}

// The native getter checks whether the head was sent to a socket; TypeScript declares it as a field, which no class may override.
Object.defineProperty(InnerResponse.prototype, 'headersSent', {
  get(this: InnerResponse): boolean {
    return this.headWritten || this.finished;
  },
});

import { Agent } from 'node:http';
import request, { type Response } from 'supertest';
import { noteServerError } from './server-errors.js';

// a connection per request would cost more than most requests
const connections = new Agent({ keepAlive: true });

type Headers = Record<string, string>;

/** A response with its body as untyped JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert properties instead of declaring types
export type ApiResponse = Omit<Response, 'body'> & { body: any };

/** Sends HTTP requests with the same headers. */
export class Client {
  constructor(
    readonly url: string,
    readonly headers: Headers = {},
  ) {}

  with(headers: Headers): Client {
    return new Client(this.url, { ...this.headers, ...headers });
  }

  /** The same client for another process. */
  at(url: string): Client {
    return new Client(url, this.headers);
  }

  get(path: string, headers?: Headers): Promise<ApiResponse> {
    return this.send('get', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Headers): Promise<ApiResponse> {
    return this.send('post', path, body, headers);
  }

  patch(path: string, body?: unknown, headers?: Headers): Promise<ApiResponse> {
    return this.send('patch', path, body, headers);
  }

  put(path: string, body?: unknown, headers?: Headers): Promise<ApiResponse> {
    return this.send('put', path, body, headers);
  }

  delete(path: string, headers?: Headers): Promise<ApiResponse> {
    return this.send('delete', path, undefined, headers);
  }

  /** A string is sent unchanged as the body; set its content type in the headers. */
  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<ApiResponse> {
    const call = request(this.url)
      [method as 'get'](path)
      .agent(connections)
      .set({ ...this.headers, ...headers });
    const response = (await (body === undefined ? call : call.send(body as object))) as ApiResponse;
    noteServerError(`${method.toUpperCase()} ${path}`, response.text);
    return response;
  }
}

/** Status, code and field of an error response. */
export function errorOf({ status, body }: Pick<ApiResponse, 'status' | 'body'>): [status: number, code?: string, param?: string] {
  return [status, body.error?.code, body.error?.param];
}

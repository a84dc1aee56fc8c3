import { Agent, type Dispatcher } from 'undici';
import { noteServerError } from './server-errors.js';

/** Keeps connections: one per request would cost more than most requests. */
export const connections = new Agent();
/** What a URL would contain unchanged, also with segments of dots, which a URL would resolve. */
const PLAIN_PATH = /^\/[\w\-./:?[\]@!$&()*+,;=%~]*$/;
const JSON_TYPE = /[/+]json\b/i;
const BINARY_TYPE = /^(?:application\/(?:gzip|octet-stream|pdf|zip)|image\/|audio\/|video\/|font\/)/;

type Headers = Record<string, string>;

/** A response, and its body as untyped JSON; a file is a Buffer, without text. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert properties instead of declaring types
  body: any;
}

/**
 * Sends HTTP requests with the same headers.
 *
 * @example
 * ```ts
 * import { Client, type Workspace } from 'work-suite/testing';
 *
 * // as of a time, in test mode
 * export async function dueNotes(space: Workspace): Promise<string[]> {
 *   const { client } = await space.key({ module: 'notes', mode: 'test' });
 *   const { body } = await client.with({ 'svc-test-clock': '2027-03-01T08:00:00Z' }).get('/api/v1/ext/notes/notes?due=true');
 *   return body.data.map(({ id }: { id: string }) => id);
 * }
 *
 * // without a key
 * export const isHealthy = async (url: string) => (await new Client(url).get('/health/live')).status === 200;
 * ```
 */
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

  /** A string or a Buffer is sent unchanged as the body; set its content type in the headers. */
  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<ApiResponse> {
    const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
    const response = await connections.request({
      origin: this.url,
      path: PLAIN_PATH.test(path) ? path : encoded(this.url + path),
      method: method.toUpperCase() as 'GET',
      headers: lowerCased({ ...(isJson && { 'content-type': 'application/json' }), ...this.headers, ...headers }),
      body: isJson ? JSON.stringify(body) : (body as string | Buffer | undefined),
    });
    const read = await readBody(response.headers['content-type'] as string | undefined, response.body);
    noteServerError(`${method.toUpperCase()} ${path}`, read.text);
    return { status: response.statusCode, headers: headersOf(response.headers), ...read } as ApiResponse;
  }
}

function encoded(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The last one wins of those that differ in case. */
function lowerCased(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** As Node's own client has them: only cookies are a list. */
function headersOf(headers: Record<string, string | string[] | undefined>): Record<string, unknown> {
  const cookies = headers['set-cookie'];
  const joined = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]);
  return { ...Object.fromEntries(joined), ...(cookies !== undefined && { 'set-cookie': [cookies].flat() }) };
}

async function readBody(type = 'text/plain', body: Dispatcher.ResponseData['body']): Promise<{ text?: string; body: unknown }> {
  if (BINARY_TYPE.test(type)) return { body: Buffer.from(await body.arrayBuffer()) };
  const text = await body.text();
  return { text, body: text !== '' && JSON_TYPE.test(type) ? JSON.parse(text) : {} };
}

/** Status, code and field of an error response. */
export function errorOf({ status, body }: Pick<ApiResponse, 'status' | 'body'>): [status: number, code?: string, param?: string] {
  return [status, body.error?.code, body.error?.param];
}

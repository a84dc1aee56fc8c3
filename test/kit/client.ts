import request, { type Response } from 'supertest';

type Headers = Record<string, string>;

/** An answer with its body as loose JSON, which tests pick apart. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test asserts shapes instead of declaring them
export type Answer = Omit<Response, 'body'> & { body: any };

/** Calls over real HTTP, with the same headers on each. */
export class Client {
  constructor(
    readonly url: string,
    readonly headers: Headers = {},
  ) {}

  with(headers: Headers): Client {
    return new Client(this.url, { ...this.headers, ...headers });
  }

  /** The same caller at another process. */
  at(url: string): Client {
    return new Client(url, this.headers);
  }

  get(path: string, headers?: Headers): Promise<Answer> {
    return this.send('get', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send('post', path, body, headers);
  }

  patch(path: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send('patch', path, body, headers);
  }

  put(path: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send('put', path, body, headers);
  }

  delete(path: string, headers?: Headers): Promise<Answer> {
    return this.send('delete', path, undefined, headers);
  }

  /** A body that is a string goes out as it is; set its content type in the headers. */
  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const call = request(this.url)
      [method as 'get'](path)
      .set({ ...this.headers, ...headers });
    return (await (body === undefined ? call : call.send(body as object))) as Answer;
  }
}

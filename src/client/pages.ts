import type { List, Page } from './types.js';

type Query = Readonly<Record<string, unknown>>;

/** The pages of a list, each read when it is needed. */
export class Pages implements List<Page> {
  constructor(
    private readonly query: Query,
    private readonly read: (query: Query, accept?: string) => Promise<unknown>,
  ) {}

  async page(): Promise<Page> {
    return (await this.read(this.query)) as Page;
  }

  csv(): Promise<Response> {
    return this.read(this.query, 'text/csv') as Promise<Response>;
  }

  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await this.page();
    yield page;
    while (page.has_more && page.next_cursor !== null) {
      page = (await this.read({ ...this.query, cursor: page.next_cursor })) as Page;
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}

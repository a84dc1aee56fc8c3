import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { Field } from '../../../kit/index.js';
import { CsvAnswers } from './csv-answers.js';
import { MOST_AT_ONCE, MOST_ROWS } from './csv-request.js';

class LineDto {
  @Field.string({
    description: 'Title.',
    example: 'a',
  })
  title: string;
}

// its total is no more than what is counted of a log
const page = { object: 'list', data: Array(MOST_ROWS / 5).fill({ title: 'x' }), has_more: true, next_cursor: 'more', total_count: 10_000 };
const request = (method: string) => ({
  method,
  url: '/lines',
  query: { limit: 100 },
  headers: {},
  raw: { socket: {} },
  ctx: { organizationId: 'one' },
  state: { csv: 'all', route: { path: '/lines', endpoint: { returns: LineDto } } },
});

test('a file of a list that is not counted to the end ends after the most rows, and HEAD reads no page', async () => {
  let pages = 0;
  const routing = (_request: unknown, response: ServerResponse) => void (pages++, response.end(JSON.stringify(page)));
  const answers = new CsvAnswers({ routing } as never, { definitions: () => Promise.resolve([]) } as never);
  const contentOf = async (method: string) =>
    (await answers.fileOf(request(method) as never, { header: () => undefined } as never, page as never)).content as unknown as Readable;
  for (let at = 0; at <= MOST_AT_ONCE; at++) expect(await text(await contentOf('HEAD'))).toBe('');
  expect(pages).toBe(0);
  await expect(text(await contentOf('GET'))).rejects.toThrow('at most 50000 items');
  expect(pages).toBe(5);
});

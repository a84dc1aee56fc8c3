import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { PublishedFiles } from './published-files.js';

test('a file whose content could not be loaded is loaded again at the next request, and then never again', async () => {
  const fastify = Fastify();
  let loaded = 0;
  const content = async () => {
    if (++loaded === 1) throw new Error('not readable yet');
    return 'content';
  };
  new PublishedFiles(fastify, async () => undefined).add('/file', { type: 'text/plain', content });
  const responses = [await fastify.inject('/file'), await fastify.inject('/file'), await fastify.inject('/file')];
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([500, 200, 200]);
  expect(responses[2].body).toBe('content');
  expect(loaded).toBe(2);
  await fastify.close();
});

test('a file is made again when what it is made from is another', async () => {
  const fastify = Fastify();
  let source = 'first';
  const files = new PublishedFiles(fastify, async () => undefined);
  let made = 0;
  const file = { type: 'text/plain', content: () => `${source} ${++made}`, source: async () => source };
  files.add('/file', file);
  files.addBelow('/files', async () => file, file);
  const read = async (path: string) => (await fastify.inject(path)).body;
  const both = async () => [await read('/file'), await read('/files/one')];
  expect([await both(), await both()]).toEqual([
    ['first 1', 'first 2'],
    ['first 1', 'first 2'],
  ]);
  source = 'second';
  expect(await both()).toEqual(['second 3', 'second 4']);
  await fastify.close();
});

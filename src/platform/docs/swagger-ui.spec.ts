import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { PublishedFiles } from './published-files.js';
import { installSwaggerUi } from './swagger-ui.js';

let server: FastifyInstance;

beforeAll(() => {
  server = fastify();
  const files = new PublishedFiles(server, () => Promise.resolve());
  installSwaggerUi(files, '/docs', 'Work suite API', [{ url: '/openapi.json', name: 'Keyed API' }]);
});
afterAll(() => server.close());

test.each(['/docs', '/docs/', '/docs/index.html'])('%s is a page whose files are all there', async (path) => {
  const { body, headers } = await server.inject(path);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const files = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => new URL(address, `http://host${path}`).pathname);
  expect(files).toHaveLength(6);
  for (const file of files) {
    const response = await server.inject(file);
    expect([file, response.statusCode]).toEqual([file, 200]);
    expect(response.headers['content-type']).toMatch(/^(text\/(css|javascript); charset=utf-8|image\/png)$/);
  }
});

test('the page shows the documents it is given', async () => {
  const { body } = await server.inject('/docs/swagger-ui-init.js');
  expect(body).toContain('urls: [{"url":"/openapi.json","name":"Keyed API"}]');
});

test('a file that the browser has is not sent again', async () => {
  const { headers, rawPayload } = await server.inject('/docs/swagger-ui-bundle.js');
  expect(rawPayload.length).toBeGreaterThan(100_000);
  const again = await server.inject({ url: '/docs/swagger-ui-bundle.js', headers: { 'if-none-match': headers.etag as string } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

import { expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const app = await sharedApp();

test('every page is below 60 KB and leads only to pages and sections that exist', async () => {
  const paths = [
    '/docs',
    ...new Set([...(await (await fetch(`${app.url}/llms.txt`)).text()).matchAll(/(\/docs\/[^)\s]+)\.md\)/g)].map(([, path]) => path)),
  ];
  const pages = new Map<string, string>();
  for (const path of paths) {
    const response = await fetch(app.url + path, { headers: { 'accept-encoding': 'identity' } });
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    pages.set(path, await response.text());
  }
  const [largest] = [...pages.values()].sort((one, other) => other.length - one.length);
  expect(gzipSync(largest).length).toBeLessThan(60_000);
  const ids = new Map([...pages].map(([path, text]) => [path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
  const broken = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/ href="(\/docs[^"#]*|)(?:#([^"]*))?"/g)]
      .filter(
        ([, page, id]) => !/^\/docs\/swagger|\.md$/.test(page) && !(id === undefined ? pages.has(page) : ids.get(page || path)?.has(id)),
      )
      .map(([, page, id]) => `${path}: ${page}#${id}`),
  );
  expect([...new Set(broken)]).toEqual([]);
  // a link in a link: browsers end the first one before it has a text
  expect([...pages].filter(([, text]) => /<a\s[^>]*>(?:(?!<\/a>)[^])*?<a\s/.test(text)).map(([path]) => path)).toEqual([]);
  expect(paths.length).toBeGreaterThan(80);
});

test('a page names a tool only if there is one', async () => {
  const page = await (await fetch(`${app.url}/docs/api/developer/events.md`)).text();
  expect(page).toContain('/developer/events/stream');
  expect([...page.matchAll(/^- Tool: `(\w+)`$|"name": "(\w+)",\n *"arguments"/gm)].map(([, fact, sample]) => fact ?? sample)).toEqual([
    'list_recent_events',
    'list_recent_events',
  ]);
});

test('an address without a page is a page for browsers, and an error for programs', async () => {
  const read = (accept: string) => fetch(`${app.url}/docs/guides/none`, { headers: { accept, 'if-none-match': '*' } });
  const [page, error] = [await read('text/html,*/*;q=0.8'), await read('*/*')];
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('<a href="/docs">')]);
  expect([error.status, await error.json()]).toEqual([404, { error: expect.objectContaining({ code: 'not_found' }) }]);
});

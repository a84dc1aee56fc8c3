import { describe, expect, it } from '@jest/globals';
import crypto from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { signatureHeader } from '../../src/platform/webhooks/sending/signature.js';
import { settingsTable } from './settings-table.js';

const page = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');
const PAGES = readdirSync(PROJECT_ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(path),
);
const README = page('README.md');

/** The anchors of a page's headings. */
const headings = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

describe('README files', () => {
  it('list exactly the settings that exist', () => {
    expect(page('config/README.md')).toContain(`\n\n${settingsTable()}\n`);
  });

  it('mention only npm scripts that exist', () => {
    const { scripts } = JSON.parse(page('package.json')) as { scripts: Record<string, string> };
    const named = PAGES.flatMap((path) => [...page(path).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => `${path}: ${name}`));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !(name.split(': ')[1] in scripts))).toEqual([]);
  });

  it('link to files and headings that exist', () => {
    const links = PAGES.flatMap((path) => [...page(path).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link]) => ({ path, link })));
    expect(links.length).toBeGreaterThan(30);
    const broken = links.filter(({ path, link }) => {
      const [file, heading] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(PROJECT_ROOT, target))) return true;
      return heading !== undefined && !headings(page(target)).includes(heading);
    });
    expect(broken).toEqual([]);
  });

  it('begin with a page of at most 10 KB', () => {
    expect(Buffer.byteLength(README)).toBeLessThanOrEqual(10 * 1024);
  });

  it('show only paths that exist in the project layout', () => {
    const [, tree] = /^## Project layout\n\n```\n(.*?)^```/ms.exec(README) as RegExpExecArray;
    let folder = '';
    for (const line of tree.trimEnd().split('\n')) {
      const [, indent, name] = /^( *)(\S+)/.exec(line) as RegExpExecArray;
      if (indent === '') folder = name;
      expect([line, existsSync(join(PROJECT_ROOT, indent === '' ? name : folder + name))]).toEqual([line, true]);
    }
  });
});

it('has a verification example that accepts exactly the valid webhook signatures', () => {
  const [, lines] = /^```js\n(.*?)^```/ms.exec(page('src/platform/webhooks/README.md')) as RegExpExecArray;
  const verify = new Function('crypto', 'Buffer', 'signature', 'rawBody', 'secret', `${lines}; return valid;`) as (
    ...values: unknown[]
  ) => boolean;
  const now = Math.floor(Date.now() / 1000);
  const checked = (header: string, body: string, secret: string) => verify(crypto, Buffer, header, body, secret);
  const header = signatureHeader(['new', 'old'], '{"é":1}', now);
  expect(['new', 'old'].map((secret) => checked(header, '{"é":1}', secret))).toEqual([true, true]);
  expect([
    checked(header, '{"é":2}', 'new'),
    checked(header, '{"é":1}', 'other'),
    checked(signatureHeader(['new'], '{}', now - 600), '{}', 'new'),
    checked(`t=${now},v1=00`, '{}', 'new'),
  ]).toEqual([false, false, false, false]);
});

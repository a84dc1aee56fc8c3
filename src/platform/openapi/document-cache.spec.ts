import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocumentCache, hashOfFolder, type ApiDocuments } from './document-cache.js';
import { PackedDocument } from './packed-document.js';

const SETTINGS = { baseUrl: 'https://suite.example.com', delivery: { timeoutMs: 10_000, attempts: 10 } };
const DOCUMENTS: ApiDocuments = {
  keyed: PackedDocument.of(JSON.stringify({ openapi: '3.1.0', info: { title: 'Größe\n"quoted"' } })),
  product: PackedDocument.of('{}'),
  public: PackedDocument.of('{"openapi":"3.1.0"}'),
};

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'work-suite-documents-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const cache = (code = 'code 1') => new DocumentCache(join(folder, 'openapi'), code);
const files = () => readdirSync(join(folder, 'openapi')).map((name) => join(folder, 'openapi', name));

test('stores the documents unchanged', () => {
  expect(cache().read(SETTINGS)).toBeNull();
  cache().write(SETTINGS, DOCUMENTS);
  expect(cache().read(SETTINGS)).toEqual(DOCUMENTS);
  expect(cache().read(SETTINGS)?.keyed.content().toString()).toBe('{"openapi":"3.1.0","info":{"title":"Größe\\n\\"quoted\\""}}');
});

test('has nothing for other code or other settings', () => {
  cache().write(SETTINGS, DOCUMENTS);
  expect(cache('code 2').read(SETTINGS)).toBeNull();
  expect(cache().read({ ...SETTINGS, baseUrl: 'https://other.example.com' })).toBeNull();
  expect(cache().read({ ...SETTINGS, delivery: { timeoutMs: 10_001, attempts: 10 } })).toBeNull();
});

test.each([
  ['was cut', (content: Buffer) => content.subarray(0, -1)],
  ['is empty', () => Buffer.alloc(0)],
  ['was changed', (content: Buffer) => Buffer.from(content.map((byte, index) => (index === content.length - 1 ? byte ^ 1 : byte)))],
  ['lost a line end', (content: Buffer) => Buffer.from(content.toString('latin1').replace('\n', ''), 'latin1')],
])('ignores a file that %s', (_, change) => {
  cache().write(SETTINGS, DOCUMENTS);
  const [file] = files();
  writeFileSync(file, change(readFileSync(file)));
  expect(cache().read(SETTINGS)).toBeNull();
});

test('keeps the newest files only', () => {
  for (let version = 0; version < 10; version++) cache(`code ${version}`).write(SETTINGS, DOCUMENTS);
  expect(files()).toHaveLength(3);
  expect(cache('code 9').read(SETTINGS)).toEqual(DOCUMENTS);
});

test('does without a folder that cannot be made', () => {
  writeFileSync(join(folder, 'openapi'), 'a file');
  cache().write(SETTINGS, DOCUMENTS);
  expect(cache().read(SETTINGS)).toBeNull();
});

describe('the hash of a folder', () => {
  let writes = 0;
  // clocks of file systems may stand still for some milliseconds
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    utimesSync(join(folder, name), ++writes, writes);
  };

  test.each([
    ['a content changes', () => write('a.cjs', 'B')],
    ['a file is added', () => write('c.cjs', '')],
    ['a file goes', () => rmSync(join(folder, 'a.cjs'))],
    ['contents move between files', () => (write('a.cjs', 'b'), write('b.cjs', 'a'))],
  ])('is another one when %s', (_, change) => {
    write('a.cjs', 'a');
    write('b.cjs', 'b');
    const before = hashOfFolder(folder);
    expect(hashOfFolder(folder)).toBe(before);
    change();
    expect(hashOfFolder(folder)).not.toBe(before);
  });

  test('needs files', () => {
    mkdirSync(join(folder, 'sub'));
    expect(() => hashOfFolder(join(folder, 'sub'))).toThrow('has no files');
  });
});

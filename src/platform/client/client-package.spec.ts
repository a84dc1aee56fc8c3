import { afterAll, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseTar } from 'nanotar';
import { PackedDocument } from '../openapi/packed-document.js';
import { clientArchive, writeClientPackage } from './client-package.js';

const folder = mkdtempSync(join(tmpdir(), 'work-suite-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

const document = PackedDocument.of(JSON.stringify({ paths: {}, components: { schemas: { Note: { type: 'object', properties: {} } } } }));
const documents = { keyed: document, public: document };

test('the client is written as it is served, in place of an earlier one', () => {
  const target = join(folder, 'new', 'client');
  writeClientPackage(documents, target);
  writeFileSync(join(target, 'runtime', 'removed.js'), '');
  writeClientPackage(documents, target);
  const written = readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const served = parseTar(gunzipSync(clientArchive(documents))).map(({ name, text }) => [name.replace('package', target), text]);
  expect(Object.fromEntries(written.map((file) => [file, readFileSync(file, 'utf8')]))).toEqual(Object.fromEntries(served));
  expect(served.map(([name]) => name.slice(target.length + 1))).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'README.md']));
});

test('a folder with something else is left as it is', () => {
  const target = join(folder, 'project');
  mkdirSync(target);
  writeFileSync(join(target, 'package.json'), '{"name":"acme-shop"}');
  expect(() => writeClientPackage(documents, target)).toThrow(`${target} contains something else.`);
  expect(readdirSync(target)).toEqual(['package.json']);
});

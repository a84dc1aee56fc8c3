import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { loadMigrations } from './migration-files.js';

const folder = mkdtempSync(join(tmpdir(), 'migration-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('migrations are loaded by their timestamps', async () => {
  const path = mkdtempSync(join(folder, 'good-'));
  writeFileSync(join(path, '1999000000002-notes-colour.js'), 'export class NotesColour1999000000002 {}');
  writeFileSync(join(path, '1999000000001-notes-tables.js'), 'export class NotesTables1999000000001 {}');
  writeFileSync(join(path, '1999000000001-notes-tables.d.ts'), '');
  writeFileSync(join(path, 'package.json'), '{"type":"module"}');
  const migrations = await loadMigrations([{ path, module: null }]);
  expect(migrations.map(({ name }) => name)).toEqual(['NotesTables1999000000001', 'NotesColour1999000000002']);
});

test.each([
  ['notes-colour.js', '', 'must be named <timestamp>-<module>-<change>, with a timestamp of 13 digits'],
  ['1999000000001-notes-colour.js', 'export const colour = 1;', 'must export one class, whose name ends with 1999000000001'],
  ['1999000000001-notes-colour.js', 'export class Colour1999000000002 {}', 'must export one class, whose name ends with 1999000000001'],
  ['1999000000001-notes-colour.js', `throw new Error('no colour');`, 'cannot be loaded: no colour'],
])('%s with %j is one sentence', async (name, text, sentence) => {
  const path = mkdtempSync(join(folder, 'bad-'));
  writeFileSync(join(path, name), text);
  writeFileSync(join(path, 'package.json'), '{"type":"module"}');
  const loading = Promise.resolve([{ path, module: null }]).then(loadMigrations);
  await expect(loading).rejects.toMatchObject({ name: 'ConfigError', message: expect.stringContaining(`${name} ${sentence}`) });
});

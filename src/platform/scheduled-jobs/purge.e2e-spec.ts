import { beforeEach, describe, expect, test } from '@jest/globals';
import { ownApp } from '../../../test/harness/hosted-app.js';

const DAY_MS = 24 * 60 * 60_000;

const app = await ownApp({}, { file: 'test/harness/fixtures/archive-app.ts', name: 'createArchiveApp' });

beforeEach(async () => {
  await app.sql.query('TRUNCATE archive_pages');
});

const pages = async () =>
  (await app.sql.query<{ name: string }>('SELECT name FROM archive_pages ORDER BY name')).rows.map(({ name }) => name);
const add = (kind: string, days: number, ...names: string[]) =>
  app.sql.query('INSERT INTO archive_pages SELECT $1, $2, name FROM unnest($3::text[]) AS name', [
    kind,
    new Date(Date.now() - days * DAY_MS),
    names,
  ]);

describe('the purge', () => {
  test('applies each rule in batches; a rule that fails is reported and does not block the others', async () => {
    await add('draft', 2, 'a', 'b', 'c', 'd', 'e');
    await add('draft', 0.9, 'f');
    await add('final', 9.9, 'g');
    await add('final', 10.1, 'h');
    await expect(app.runScheduledJob('platform.purge')).rejects.toThrow(/^Rows could not be deleted from no_such_table: .*does not exist/);
    expect(await pages()).toEqual(['f', 'g']);
    await expect(app.runScheduledJob('platform.purge', new Date(Date.now() + DAY_MS))).rejects.toThrow('no_such_table');
    expect(await pages()).toEqual([]);
  });

  test('skips rows that another transaction has locked, and deletes them later', async () => {
    await add('draft', 2, 'held', 'free');
    const other = await app.sql.connect();
    try {
      await other.query('BEGIN');
      await other.query(`SELECT 1 FROM archive_pages WHERE name = 'held' FOR UPDATE`);
      await app.runScheduledJob('platform.purge').catch(() => undefined);
      expect(await pages()).toEqual(['held']);
      await other.query('ROLLBACK');
    } finally {
      other.release();
    }
    await app.runScheduledJob('platform.purge').catch(() => undefined);
    expect(await pages()).toEqual([]);
  });
});

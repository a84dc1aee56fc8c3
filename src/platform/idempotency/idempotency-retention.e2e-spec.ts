import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestApp } from '../../../test/kit/app.js';
import { createNotesApp } from '../../../test/kit/notes-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await createNotesApp({ env: { IDEMPOTENCY_RETENTION_HOURS: '24' } });
});
afterAll(() => app.close());

test('the purge deletes responses that are no longer replayed, however many, and no others', async () => {
  const insert = (name: string, count: number, hours: number) =>
    app.sql.query(
      `INSERT INTO idempotency_records (scope, fingerprint, status, headers, created_at)
       SELECT sha256(convert_to($1 || n, 'UTF8')), sha256('x'), 200, '{}', now() - $3 * interval '1 hour' FROM generate_series(1,
       $2::int) n`,
      [name, count, hours],
    );
  await insert('kept', 10, 23.9);
  await insert('expired', 6_000, 24.1);
  await app.runScheduledJob('platform.purge');
  const { rows } = await app.sql.query(
    `SELECT count(*)::int AS count, min(created_at) > now() - interval '24 hours' AS kept FROM idempotency_records`,
  );
  expect(rows).toEqual([{ count: 10, kept: true }]);
});

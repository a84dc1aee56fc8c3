import { expect, test } from '@jest/globals';
import { sharedNotesApp } from '../../../test/kit/fixture-apps.js';

const app = await sharedNotesApp();

test('the purge deletes responses that are no longer replayed, however many, and no others', async () => {
  const insert = (name: string, count: number, hours: number) =>
    app.sql.query(
      `INSERT INTO idempotency_records (scope, fingerprint, status, headers, created_at)
       SELECT sha256(convert_to($1 || n, 'UTF8')), sha256('of this test'), 200, '{}', now() - $3 * interval '1 hour' FROM generate_series(1,
       $2::int) n`,
      [name, count, hours],
    );
  await insert('kept', 10, 23.9);
  await insert('expired', 6_000, 24.1);
  await app.runScheduledJob('platform.purge');
  const { rows } = await app.sql.query(
    `SELECT count(*)::int AS count, min(created_at) > now() - interval '24 hours' AS kept FROM idempotency_records
     WHERE fingerprint = sha256('of this test')`,
  );
  expect(rows).toEqual([{ count: 10, kept: true }]);
});

import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { ApiResponse } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { BINDERS, sharedBindersApp } from '../../../test/harness/fixtures/fixture-apps.js';

const app = await sharedBindersApp();
const workspace = await app.workspace();
const { client: binders } = await workspace.key();
const copier = app.inside<typeof import('../../../test/harness/copier.js')>('test/harness/copier.ts');

beforeEach(() => copier.reset());

/** A copying of a new binder; each call repeats it with the same Idempotency-Key. */
async function copying(title: string): Promise<() => Promise<ApiResponse>> {
  const { body } = await binders.post(BINDERS, { project_id: workspace.eng.id, title });
  const headers = { 'idempotency-key': randomUUID() };
  return () => binders.post(`${BINDERS}/${body.id}/copies`, undefined, headers);
}

const outcome = ({ status, body, headers }: ApiResponse) => [status, body.error?.code, headers['idempotent-replayed']];
const begun = async (times: number) => expect(await eventually(copier.begun, (count) => count === times)).toBe(times);
const records = async (where: string) =>
  (await app.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM idempotency_records WHERE ${where}`)).rows[0].n;

test('has no open transaction while the handler waits, rejects a repeat meanwhile, and replays the response after it', async () => {
  await copier.hold('first');
  const copy = await copying('Leases');
  const first = copy();
  await begun(1);
  const written = async () =>
    (
      await app.sql.query(`SELECT 1 FROM binders_fixture WHERE organization_id = $1 AND leaves = '[{"page": 1}]'`, [
        workspace.organizationId,
      ])
    ).rowCount;
  expect(await eventually(written, (count) => count === 1)).toBe(1);
  // those of the workers come and go; one held for the call would stay
  const open = async () =>
    (await app.sql.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`))
      .rowCount;
  expect(await eventually(open, (count) => count === 0)).toBe(0);
  const meanwhile = await copy();
  expect([outcome(meanwhile), meanwhile.headers['retry-after']]).toEqual([[409, 'idempotency_in_progress', undefined], '1']);
  await copier.release('first');
  expect(outcome(await first)).toEqual([201, undefined, undefined]);
  const again = await copy();
  expect([outcome(again), again.body]).toEqual([[201, undefined, 'true'], (await first).body]);
  expect(await copier.begun()).toBe(1);
});

test('stores no error, so that the repeat executes', async () => {
  const rejected = await copying('undeclared');
  expect([outcome(await rejected()), outcome(await rejected())]).toEqual([
    [400, 'validation_failed', undefined],
    [400, 'validation_failed', undefined],
  ]);
  expect(await copier.begun()).toBe(2);
  const failing = await copying('jammed');
  expect([outcome(await failing()), outcome(await failing())]).toEqual([
    [500, 'internal_error', undefined],
    [500, 'internal_error', undefined],
  ]);
  expect([await copier.begun(), await records('leased_until IS NOT NULL')]).toEqual([4, 0]);
});

test('an operation is taken over after its lease; whoever lost it writes nothing more', async () => {
  const copy = await copying('Minutes');
  await copier.hold('stalled');
  const first = copy();
  await begun(1);
  await app.sql.query(`UPDATE idempotency_records SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL`);
  await copier.hold('working');
  const second = copy();
  await begun(2);
  await copier.release('stalled');
  expect(outcome(await first)).toEqual([409, 'idempotency_in_progress', undefined]);
  expect([outcome(await copy()), await records('leased_until IS NOT NULL')]).toEqual([[409, 'idempotency_in_progress', undefined], 1]);
  await copier.release('working');
  expect(outcome(await second)).toEqual([201, undefined, undefined]);
  expect((await copy()).body.id).toBe((await second).body.id);
  const { rowCount } = await app.sql.query(`SELECT 1 FROM binders_fixture WHERE organization_id = $1 AND title = 'Copy of Minutes'`, [
    workspace.organizationId,
  ]);
  expect(rowCount).toBe(1);
});

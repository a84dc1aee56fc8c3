import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../../../test/harness/eventually.js';
import { NOTES, startNotesApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { hasPgBouncer, startPgBouncer } from '../../../../test/harness/pgbouncer.js';
import { Receiver } from '../../../../test/harness/receiver.js';
import { createTestDatabase } from '../../../../test/harness/test-database.js';
import { checkServer } from './database.js';
import { checkPooler } from './pooler.js';

(hasPgBouncer() ? describe : describe.skip)('PgBouncer in transaction mode', () => {
  test('serves writes, reads and deliveries of more connections than it has sessions', async () => {
    const database = await createTestDatabase();
    const [pooler, receiver] = await Promise.all([startPgBouncer(database.url, 2), Receiver.start()]);
    await checkPooler(pooler.url, database.url);
    const app = await startNotesApp({
      databaseUrl: database.url,
      env: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url, QUEUE_RECONCILE_MS: '200' },
    });
    const space = await app.workspace();
    const subscription = await receiver.subscribe(await space.signIn());
    const { client } = await space.key();

    const notes = Array.from({ length: 40 }, (_, n) => ({ project_id: space.eng.id, title: `Note ${n}` }));
    const created = await Promise.all(notes.map((body, n) => client.post(NOTES, body, { 'idempotency-key': `n${n}` })));
    expect(created.map(({ status }) => status)).toEqual(notes.map(() => 201));
    const repeated = await client.post(NOTES, notes[0], { 'idempotency-key': 'n0' });
    expect(repeated.body).toEqual(created[0].body);
    const [{ body: note }] = created;
    const changes = await Promise.all(['a', 'b'].map((title) => client.patch(`${NOTES}/${note.id}`, { title }, { 'if-match': '"1"' })));
    expect(changes.map(({ status }) => status).sort()).toEqual([200, 412]);
    const reads = await Promise.all(created.map(({ body }) => client.get(`${NOTES}/${body.id}`)));
    expect(reads.map(({ body }) => body.id)).toEqual(created.map(({ body }) => body.id));
    const delivered = async () => new Set(subscription.got().map(({ event }) => event.data.object.id)).size;
    expect(await eventually(delivered, (count) => count === notes.length)).toBe(notes.length);
    const sessions = `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'work-suite'`;
    expect((await app.sql.query(sessions)).rows[0].count).toBeLessThanOrEqual(2);

    await app.close();
    await Promise.all([pooler.stop(), receiver.stop()]);
    await database.drop();
  });

  test('does not start on sessions without the settings, or on another database', async () => {
    const [database, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const pooler = await startPgBouncer(database.url, 2);
    await expect(checkPooler(pooler.bareUrl, database.url)).rejects.toThrow(
      /^The sessions of the pooler .* set connect_query='SET timezone/,
    );
    await expect(checkPooler(pooler.url, other.url)).rejects.toThrow('are different databases');
    await expect(checkServer(pooler.url, 'DATABASE_URL')).rejects.toThrow(/^DATABASE_URL leads to a pooler .* set DATABASE_DIRECT_URL to /);
    await pooler.stop();
    await Promise.all([database.drop(), other.drop()]);
  });
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { Receiver } from '../../../../test/harness/receiver.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const LEADS = '/api/v1/org/marketing/leads';
const IMPORTS = '/api/v1/org/marketing/lead-imports';
/** The imports that a worker runs at once. */
const SLOTS = 3;

const app = await sharedApp();
const receiver = await Receiver.start();
afterAll(() => receiver.stop());

const fileOf = (rows: number, name: string) =>
  `full_name,email\n${Array.from({ length: rows }, (_, n) => `Lead ${n},${name}-${n}@fair.example`).join('\n')}\n`;

/** An import, as it is now. */
async function startImport(space: Workspace, file: string) {
  const owner = await space.signIn();
  const { body } = await owner.post(`${LEADS}/import?project_id=${space.eng.id}`, file, { 'content-type': 'text/csv' });
  const state = async () =>
    (await owner.get(`${IMPORTS}/${body.id}`)).body as { started_at: string | null; rows_done: number; finished_at: string | null };
  return { id: body.id as string, state };
}

type Import = Awaited<ReturnType<typeof startImport>>;

const finished = ({ state }: Import) => eventually(state, ({ finished_at }) => finished_at !== null);

describe('an import', () => {
  it('gets one of the next slots, although more imports of another organization wait longer', async () => {
    const [busy, other] = [await app.workspace(), await app.workspace()];
    const [running, waiting] = [await app.sql.connect(), await app.sql.connect()];
    try {
      // imports start, and wait for their first lead
      await running.query('BEGIN; LOCK TABLE leads IN SHARE MODE');
      const imports = await Promise.all(Array.from({ length: 2 * SLOTS }, (_, n) => startImport(busy, fileOf(2, `busy-${n}`))));
      const started = async () => {
        const states = await Promise.all(imports.map(async (one) => ({ ...one, now: await one.state() })));
        return states.filter(({ now }) => now.started_at !== null);
      };
      const first = await eventually(started, ({ length }) => length === SLOTS);
      const late = await startImport(other, fileOf(2, 'other'));
      const rest = [...imports.filter(({ id }) => first.every((one) => one.id !== id)), late].map(({ id }) => id);
      // whatever gets a slot keeps it
      await waiting.query('BEGIN');
      await waiting.query('SELECT FROM lead_imports WHERE id = ANY($1) FOR UPDATE', [rest]);
      await running.query('COMMIT');
      const claimed = async () =>
        (
          await app.sql.query<{ id: string }>(
            `SELECT payload ->> 'import_id' AS id FROM jobs
             WHERE name = 'lead_webhook.import_leads' AND payload ->> 'import_id' = ANY($1) AND attempts > 0`,
            [rest],
          )
        ).rows.map(({ id }) => id);
      expect(await eventually(claimed, ({ length }) => length >= SLOTS)).toContain(late.id);
      await waiting.query('COMMIT');
      await Promise.all([...imports, late].map(finished));
    } finally {
      for (const client of [running, waiting]) {
        await client.query('ROLLBACK');
        client.release();
      }
    }
  });

  it('lets other events of an endpoint go before those of its rows', async () => {
    const space = await app.workspace();
    const owner = await space.signIn();
    const { client } = await space.key({ module: 'crm', mode: 'live' });
    const { id, path } = await receiver.subscribe(owner, { max_concurrency: 1 });
    const hold = (until: string) => app.sql.query(`UPDATE webhook_endpoints SET held_until = ${until} WHERE id = $1`, [id]);
    await hold(`now() + interval '1 hour'`);
    await finished(await startImport(space, fileOf(300, 'endpoint')));
    const deal = await client.post('/api/v1/ext/crm/deals', { project_id: space.eng.id, title: 'Won', currency: 'EUR' });
    expect(deal.status).toBe(201);
    await hold('NULL');
    const [{ event }] = await eventually(
      async () => receiver.at(path),
      ({ length }) => length > 0,
    );
    expect(event.type).toBe('deal.created');
    await owner.delete(`/api/v1/org/developer/webhook-endpoints/${id}`);
  });
});

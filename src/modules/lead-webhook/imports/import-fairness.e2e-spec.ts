import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { Receiver } from '../../../../test/harness/receiver.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const LEADS = '/api/v1/org/marketing/leads';
const IMPORTS = '/api/v1/org/marketing/lead-imports';
const RESPONSE_MS = 30;

const app = await sharedApp();
const receiver = await Receiver.start();
afterAll(() => receiver.stop());

const fileOf = (rows: number, name: string) =>
  `full_name,email\n${Array.from({ length: rows }, (_, n) => `Lead ${n},${name}-${n}@fair.example`).join('\n')}\n`;

async function startImport(space: Workspace, file: string) {
  const owner = await space.signIn();
  const { body } = await owner.post(`${LEADS}/import?project_id=${space.eng.id}`, file, { 'content-type': 'text/csv' });
  return async () => (await owner.get(`${IMPORTS}/${body.id}`)).body as { rows_done: number; finished_at: string | null };
}

describe('an import', () => {
  it('takes turns with those of another organization: neither waits for all rows of the other', async () => {
    const [busy, other] = [await app.workspace(), await app.workspace()];
    // twice as many as run at once
    const large = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => startImport(busy, fileOf(600, `busy-${n}`))));
    const small = await startImport(other, fileOf(450, 'other'));
    const { finished_at: ended } = await eventually(small, ({ finished_at }) => finished_at !== null);
    const states = await Promise.all(large.map((state) => state()));
    expect(states.some(({ rows_done }) => rows_done > 0)).toBe(true);
    const ends = [];
    for (const state of large) ends.push((await eventually(state, ({ finished_at }) => finished_at !== null)).finished_at);
    expect(ends.some((end) => end! > ended!)).toBe(true);
  });

  it('lets other events of an endpoint go before those of its rows', async () => {
    const space = await app.workspace();
    const owner = await space.signIn();
    const { client } = await space.key({ module: 'crm', mode: 'live' });
    const { id, path } = await receiver.subscribe(owner, { max_concurrency: 1 });
    receiver.on(path, (_request, response) => void setTimeout(() => response.end(), RESPONSE_MS));
    const state = await startImport(space, fileOf(300, 'endpoint'));
    await eventually(state, ({ finished_at }) => finished_at !== null);
    const before = receiver.at(path).length;
    const deal = await client.post('/api/v1/ext/crm/deals', { project_id: space.eng.id, title: 'Won', currency: 'EUR' });
    expect(deal.status).toBe(201);
    const position = () => Promise.resolve(receiver.at(path).findIndex(({ event }) => event.type === 'deal.created'));
    // beside those that were claimed when the deal was created
    expect((await eventually(position, (index) => index >= 0, 30_000)) - before).toBeLessThan(100);
    expect(receiver.at(path).length).toBeLessThan(300);
    await owner.delete(`/api/v1/org/developer/webhook-endpoints/${id}`);
  });
});

import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../harness/hosted-app.js';
import { contractsOf } from './module-contract.js';
import { race } from './taken-values.js';

const app = await sharedApp();
const { modules } = await app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts').declarations();
const declared = [];
for (const { takenValues } of (await contractsOf(modules)).values()) if (takenValues) declared.push(await takenValues(app));
const requests = declared.flatMap((values) => Object.entries(values.requests));
const imports = declared.flatMap((values) => Object.entries(values.imports ?? {}));

describe('a value that another request takes at the same moment is refused like one that exists', () => {
  it.each(requests)('%s', async (_name, { table, value, ready }) => {
    const ofRace = await ready();
    const { status, body } = await race(app, table, value, ofRace);
    const [param] = Object.keys(value);
    expect([status, body.error]).toEqual([409, expect.objectContaining({ code: 'duplicate', param, existing_id: ofRace.id })]);
  });

  it.each(imports)('of the rows of a file, only the one with the value: %s', async (_name, { table, value, ready }) => {
    const ofRace = await ready();
    const { body } = await race(app, table, value, ofRace);
    expect(body).toMatchObject({ imported: 1, errors: [{ row: 2, code: 'duplicate', message: expect.stringContaining(ofRace.id) }] });
  });
});

it('all tables whose rows have a unique external_id are tried', async () => {
  const { rows } = await app.sql.query<{ tablename: string }>(
    `SELECT tablename FROM pg_indexes WHERE indexdef ~ '^CREATE UNIQUE INDEX [^()]*\\([^()]*\\yexternal_id\\y'`,
  );
  const tried = new Set(requests.map(([, { table }]) => table));
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ tablename }) => !tried.has(tablename))).toEqual([]);
});

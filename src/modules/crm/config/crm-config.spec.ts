import { expect, it } from '@jest/globals';
import { CommonErrors, type Store, type Tx } from '../../../kit/index.js';
import { CrmConfig, requireSource } from './crm-config.service.js';
import { LeadSource } from './lead-source.entity.js';

/** A transaction that sees these sources and counts reads. */
function transaction(sources: { id: string; name: string }[]) {
  let reads = 0;
  const list = (entity: unknown) => {
    if (entity === LeadSource) reads++;
    return Promise.resolve(entity === LeadSource ? sources : []);
  };
  return { tx: { list } as unknown as Tx, reads: () => reads };
}

const config = () => new CrmConfig(undefined as unknown as Store);
const name = (id: string) => (configured: Parameters<typeof requireSource>[0]) => requireSource(configured, id);

it('decides a rejection again with current rows, because another process may have changed them', async () => {
  const crm = config();
  await crm.of(transaction([]).tx, 'p');
  await expect(crm.decide(transaction([{ id: 's', name: 'Fair' }]).tx, 'p', name('s'))).resolves.toBeUndefined();
});

it('reads current rows once per transaction, however many rejections there are', async () => {
  const crm = config();
  await crm.of(transaction([]).tx, 'p');
  const [first, second] = [transaction([]), transaction([])];
  const decide = (tx: Tx) => Promise.allSettled(Array.from({ length: 250 }, () => crm.decide(tx, 'p', name('s'))));
  for (const { tx } of [first, first, second]) {
    for (const result of await decide(tx))
      expect(result).toMatchObject({ status: 'rejected', reason: { spec: CommonErrors.validationFailed.spec } });
  }
  expect([first.reads(), second.reads()]).toEqual([1, 1]);
});

it('reads again after a failed read', async () => {
  const crm = config();
  await crm.of(transaction([]).tx, 'p');
  let fails = true;
  const tx = {
    list: () => (fails ? Promise.reject(new Error('cut')) : Promise.resolve([{ id: 's', name: 'Fair', position: 1 }])),
  } as unknown as Tx;
  await expect(crm.decide(tx, 'p', name('s'))).rejects.toThrow('cut');
  fails = false;
  await expect(crm.decide(tx, 'p', name('s'))).resolves.toBeUndefined();
});

it('lists the valid choices in an error only when they are few', () => {
  const some = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `id-${n}`, name: `Source ${n}` }));
  const errorOf = (count: number) => {
    try {
      requireSource({ sources: some(count) } as never, 'x');
    } catch (error) {
      return (error as { occurrence: { message: string; allowed?: string[] } }).occurrence;
    }
  };
  expect(errorOf(20)).toMatchObject({ message: expect.stringContaining('Source 19 is id-19'), allowed: expect.arrayContaining(['id-19']) });
  expect(errorOf(200)).toEqual({ param: 'source_id', message: 'source_id must be a source of the project', ofProject: true });
});

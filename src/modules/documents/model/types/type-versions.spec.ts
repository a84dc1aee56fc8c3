import { beforeEach, expect, it } from '@jest/globals';
import type { Ctx, Store } from '../../../../kit/index.js';
import type { DocumentTypeVersion } from './document-type-version.entity.js';
import { TypeVersions } from './type-versions.js';

const CTX = { organizationId: 'o' } as Ctx;
const MANY = 1_001;

let reads: number;
let versions: TypeVersions;

beforeEach(() => {
  reads = 0;
  const list = async (_ctx: Ctx, _entity: unknown, where: { type_id: string[]; number: number[] }) => {
    reads++;
    return where.type_id.flatMap((type_id) => where.number.map((number) => ({ type_id, number }) as DocumentTypeVersion));
  };
  versions = new TypeVersions({ list } as unknown as Store);
});

const wanted = (type_id: string, type_version = 1) => ({ type_id, type_version });

it('reads a version once', async () => {
  expect(await versions.get(CTX, 'a', 1)).toBe(await versions.get(CTX, 'a', 1));
  await versions.get(CTX, 'a', 2);
  expect(reads).toBe(2);
});

it('finds what it had kept also when the reading of others clears what is kept', async () => {
  await versions.all(
    CTX,
    Array.from({ length: MANY }, (_, index) => wanted(`t${index}`)),
  );
  const among = await versions.all(CTX, [wanted('t0'), wanted('new')]);
  expect([among('t0', 1), among('new', 1)]).toEqual([
    { type_id: 't0', number: 1 },
    { type_id: 'new', number: 1 },
  ]);
});

it('keeps a look-up whole while others read', async () => {
  const among = await versions.all(
    CTX,
    Array.from({ length: MANY }, (_, index) => wanted(`t${index}`)),
  );
  await versions.get(CTX, 'new', 1);
  expect(among('t0', 1)).toEqual({ type_id: 't0', number: 1 });
});

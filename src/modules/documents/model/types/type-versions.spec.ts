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

it('returns cached versions although the same read clears the cache', async () => {
  await versions.all(
    CTX,
    Array.from({ length: MANY }, (_, index) => wanted(`t${index}`)),
  );
  const lookup = await versions.all(CTX, [wanted('t0'), wanted('new')]);
  expect([lookup('t0', 1), lookup('new', 1)]).toEqual([
    { type_id: 't0', number: 1 },
    { type_id: 'new', number: 1 },
  ]);
});

it('a look-up stays complete when a later read clears the cache', async () => {
  const lookup = await versions.all(
    CTX,
    Array.from({ length: MANY }, (_, index) => wanted(`t${index}`)),
  );
  await versions.get(CTX, 'new', 1);
  expect(lookup('t0', 1)).toEqual({ type_id: 't0', number: 1 });
});

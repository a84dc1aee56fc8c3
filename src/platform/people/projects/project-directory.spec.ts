import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Store } from '../../../kit/index.js';
import { systemContext } from '../../persistence/transactions/call-context.js';
import { ProjectDirectory } from './project-directory.js';
import type { Project } from '../model/project.entity.js';

const ORGANIZATION = 'org-1';
const row = (values: Partial<Project> = {}) =>
  ({ id: 'p1', organization_id: ORGANIZATION, key: 'ENG', status: 'active', ...values }) as Project;

let stored: Project;
let reads: number;
let directory: ProjectDirectory;

beforeEach(() => {
  jest.useFakeTimers();
  stored = row();
  reads = 0;
  const find = async (ctx: { organizationId: string }, _entity: unknown, id: string) => {
    reads++;
    return id === stored.id && ctx.organizationId === stored.organization_id ? { ...stored } : null;
  };
  const list = async (ctx: { organizationId: string }) => {
    reads++;
    return stored.is_default && ctx.organizationId === stored.organization_id ? [{ ...stored }] : [];
  };
  directory = new ProjectDirectory({ find, list } as unknown as Store);
});

afterEach(() => {
  jest.useRealTimers();
});

const ctx = (projectId: string | null = null, organizationId = ORGANIZATION) =>
  Object.assign(systemContext(organizationId, 'live'), { projectId });

test('the pin, the project named, or both when they agree', async () => {
  expect((await directory.resolve(ctx(), 'p1')).key).toBe('ENG');
  expect((await directory.resolve(ctx('p1'), undefined)).key).toBe('ENG');
  expect((await directory.resolve(ctx('p1'), 'p1')).key).toBe('ENG');
});

test.each<[string, ReturnType<typeof ctx>, string | undefined, string]>([
  ['naming another project than the pin', ctx('p1'), 'p2', 'project_scope_mismatch'],
  ['naming none without a pin or a default project', ctx(), undefined, 'missing_fields'],
  ['an unknown project', ctx(), 'p2', 'validation_failed'],
  ['another organization’s', ctx(null, 'org-2'), 'p1', 'validation_failed'],
])('rejects %s', async (_, caller, id, code) => {
  await directory.resolve(ctx(), 'p1');
  await expect(directory.resolve(caller, id)).rejects.toMatchObject({ spec: { code }, occurrence: { param: 'project_id' } });
});

test('a project seen before costs no query for three seconds', async () => {
  for (let i = 0; i < 50; i++) await directory.resolve(ctx(), 'p1');
  expect(reads).toBe(1);
  jest.advanceTimersByTime(3_000);
  await directory.resolve(ctx(), 'p1');
  expect(reads).toBe(2);
});

test('archived by another process: rejected three seconds later; archived by this one: immediately', async () => {
  await directory.resolve(ctx(), 'p1');
  stored = row({ status: 'archived' });
  await directory.resolve(ctx(), 'p1');
  jest.advanceTimersByTime(3_000);
  await expect(directory.resolve(ctx(), 'p1')).rejects.toThrow('archived');
  stored = row();
  directory.forget(stored);
  expect((await directory.resolve(ctx(), 'p1')).status).toBe('active');
});

test('a read that began before a change does not cache the old row', async () => {
  const reading = directory.resolve(ctx(), 'p1');
  directory.forget(stored);
  await reading;
  stored = row({ status: 'archived' });
  await expect(directory.resolve(ctx(), 'p1')).rejects.toThrow('archived');
});

describe('the default project', () => {
  beforeEach(() => {
    stored = row({ is_default: true });
  });

  test('is that of a write that names none, and costs no query for three seconds', async () => {
    for (let i = 0; i < 50; i++) expect((await directory.resolve(ctx(), undefined)).key).toBe('ENG');
    expect(reads).toBe(1);
    expect((await directory.resolve(ctx('p1'), undefined)).key).toBe('ENG');
    await expect(directory.resolve(ctx(null, 'org-2'), undefined)).rejects.toMatchObject({ spec: { code: 'missing_fields' } });
    const [assuming, naming, pinned] = [ctx(), ctx(), ctx('p1')];
    await directory.resolve(assuming, null);
    await directory.resolve(naming, 'p1');
    await directory.resolve(pinned, null);
    expect([assuming, naming, pinned].map(({ usedProject }) => usedProject)).toEqual([{ key: 'ENG', isAssumed: true }, null, null]);
  });

  test('changed by this process: applies immediately', async () => {
    await directory.resolve(ctx(), undefined);
    stored = row({ is_default: true, status: 'archived' });
    directory.forget(stored);
    await expect(directory.resolve(ctx(), null)).rejects.toThrow('the default project ENG is archived');
  });

  test('does not restrict reads, which a pin or a named project does, even an archived one', async () => {
    expect(await directory.reach(ctx(), undefined)).toBeNull();
    stored = row({ status: 'archived' });
    expect((await directory.reach(ctx(), 'p1'))?.key).toBe('ENG');
    expect((await directory.reach(ctx('p1'), undefined))?.key).toBe('ENG');
    await expect(directory.reach(ctx(), 'p2')).rejects.toMatchObject({ spec: { code: 'validation_failed' } });
    await expect(directory.reach(ctx('p1'), 'p2')).rejects.toMatchObject({ spec: { code: 'project_scope_mismatch' } });
  });
});

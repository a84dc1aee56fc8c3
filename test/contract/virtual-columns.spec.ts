import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadModule } from 'libpg-query';
import { DataSource, type EntityMetadata } from 'typeorm';
import { scopingOf } from '../../src/kit/internal.js';
import { planOf } from '../../src/platform/persistence/rows/entity-plan.js';
import { Reader } from '../../src/platform/persistence/rows/reader.js';
import { narrow, Values } from '../../src/platform/persistence/rows/sql.js';
import { createTestApp, type TestApp } from '../harness/app.js';
import { readCatalog } from './sql-gate/catalog.js';
import { SqlGate } from './sql-gate/gate.js';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const caller = { organizationId: 'organization', projectId: 'project', mode: 'live' as const };

// the store adds them to its own statements, which are not parsed
it('virtual columns read only rows of the caller', async () => {
  await loadModule();
  const dataSource = app.app.get(DataSource);
  const gate = new SqlGate(await readCatalog(dataSource));
  const withSome = dataSource.entityMetadatas.filter(
    ({ target, columns }) => typeof target === 'function' && scopingOf(target) && columns.some((column) => column.isVirtualProperty),
  );
  const faults = withSome.flatMap(({ target }) => {
    const plan = planOf(dataSource, target as never);
    const values = new Values();
    const text = `SELECT ${plan.selectAll} FROM ${plan.table} t WHERE ${narrow(plan, caller as never, values)}`;
    return gate.faultOf({ caller, text, values: values.list, unscoped: null, beyond: [] }) ?? [];
  });
  expect(faults).toEqual([]);
  expect(withSome.length).toBeGreaterThan(5);
});

it('names are read for answers, and by no write', async () => {
  const dataSource = app.app.get(DataSource);
  const reader = new Reader(dataSource, null as never);
  const hasNames = ({ columns }: EntityMetadata) => columns.some((one) => one.isVirtualProperty && one.propertyName === 'names');
  const named = dataSource.entityMetadatas.filter(hasNames);
  const readsNames = async (entity: unknown, lock?: string) => {
    let read = '';
    const on = { query: ({ text }: { text: string }) => ((read = text), Promise.resolve({ rows: [], rowCount: 0, command: 'SELECT' })) };
    await reader.find(on, caller as never, entity as never, 'id', lock);
    return read.includes('AS "names"');
  };
  for (const { name, target } of named) expect([name, await readsNames(target), await readsNames(target, '')]).toEqual([name, true, false]);
  expect(named.length).toBeGreaterThan(5);
});

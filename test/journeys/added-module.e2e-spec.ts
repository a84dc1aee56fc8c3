import type { Type } from '@nestjs/common';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../harness/app.js';
import { createTestDatabase } from '../harness/test-database.js';
import { InventoryModule } from '../../src/modules/inventory/inventory.module.js';
import { TasksModule } from '../../src/modules/tasks/tasks.module.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

/** Starts the application with these modules. */
async function started<T>(modules: Type[], act: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await createTestApp({ modules, databaseUrl: database.url, env: { APP_ROLE: 'api' } });
  try {
    return await act(app);
  } finally {
    await app.close();
  }
}

/** The default configuration of the projects by two modules. */
async function configured({ sql }: TestApp): Promise<{ statuses: number; reasons: number; notes: number }> {
  const { rows } = await sql.query(
    `SELECT (SELECT count(*)::int FROM task_statuses) AS statuses, (SELECT count(*)::int FROM stock_reasons) AS reasons,
       (SELECT count(*)::int FROM project_setups) AS notes`,
  );
  return rows[0];
}

test('a module that is added later sets up the projects that exist, once', async () => {
  const before = await started([InventoryModule], async (app) => {
    await app.workspace();
    return configured(app);
  });
  expect(before).toMatchObject({ statuses: 0, notes: 2 });
  const both = [InventoryModule, TasksModule];
  const after = await started(both, configured);
  expect(after).toEqual({ statuses: 12, reasons: before.reasons, notes: 4 });
  // projects of versions that noted nothing
  await started(both, ({ sql }) => sql.query('DELETE FROM project_setups'));
  expect(await started(both, configured)).toEqual(after);
  // what people delete stays deleted
  await started(both, ({ sql }) => sql.query('DELETE FROM task_statuses'));
  expect(await started(both, configured)).toEqual({ ...after, statuses: 0 });
});

import { createTestApp, type TestApp } from './app.js';
import { GARAGES_TABLE, HabitsModule } from './habits.fixture.js';
import type { TestAppOptions } from './test-app.js';

/** The application with the module of habits.fixture.ts, and with its table. */
export async function createHabitsApp(options: Omit<TestAppOptions, 'modules'> = {}): Promise<TestApp> {
  const app = await createTestApp({ ...options, modules: [HabitsModule] });
  await app.sql.query(GARAGES_TABLE);
  return app;
}

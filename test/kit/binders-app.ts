import { createTestApp, type TestApp } from './app.js';
import { BINDERS_TABLE, BindersModule } from './binders.fixture.js';
import type { TestAppOptions } from './test-app.js';

/** The application with the module of binders.fixture.ts, and with its table. */
export async function createBindersApp(options: Omit<TestAppOptions, 'modules'> = {}): Promise<TestApp> {
  const app = await createTestApp({ ...options, modules: [BindersModule] });
  await app.sql.query(BINDERS_TABLE);
  return app;
}

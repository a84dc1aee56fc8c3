import { createTestApp, type TestApp } from './app.js';
import { LeakyModule, VANS_TABLE } from './leaky.fixture.js';
import type { TestAppOptions } from './test-app.js';

/** The application with the module of leaky.fixture.ts, and with its table. */
export async function createLeakyApp(options: Omit<TestAppOptions, 'modules'> = {}): Promise<TestApp> {
  const app = await createTestApp({ ...options, modules: [LeakyModule] });
  await app.sql.query(VANS_TABLE);
  return app;
}

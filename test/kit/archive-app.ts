import { DomainModule } from '../../src/kit/index.js';
import { createTestApp, type TestApp } from './app.js';
import type { TestAppOptions } from './test-app.js';

@DomainModule({
  name: 'archive',
  title: 'Archive',
  guide: 'For the test of the purge.',
  scopes: {},
  entities: [],
  controllers: [],
  providers: [],
  retention: [
    { table: 'no_such_table', column: 'at', keepDays: 1 },
    { table: 'archive_pages', column: 'at', keepDays: 1, where: `kind = 'draft'`, batch: 2 },
    { table: 'archive_pages', column: 'at', keepDays: 10 },
  ],
})
class ArchiveModule {}

/** The application with a module that only declares how long its rows are kept. */
export async function createArchiveApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await createTestApp({ ...options, modules: [ArchiveModule] });
  await app.sql.query('CREATE TABLE archive_pages (kind text, at timestamptz, name text)');
  return app;
}

import { createTestApp, type TestApp } from '../../../../test/harness/app.js';
import { NOTES_TABLE, NotesModule } from '../../../../test/harness/fixtures/notes.fixture.js';
import type { TestAppOptions } from '../../../../test/harness/test-app.js';
import { TasksModule } from '../tasks.module.js';

/** The application with tasks, for which the demo has data, and with notes, for which it has none. */
export async function createDemoApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await createTestApp({ ...options, modules: [TasksModule, NotesModule] });
  await app.sql.query(NOTES_TABLE);
  return app;
}

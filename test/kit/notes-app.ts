import { createTestApp, type TestApp } from './app.js';
import { NOTES_TABLE, NotesModule } from './notes.fixture.js';
import { OpenFormsModule } from './open-forms.fixture.js';
import { forbidForeignRows } from './sql-gate/gate.js';
import type { TestAppOptions } from './test-app.js';

/** The application with the modules of notes.fixture.ts and open-forms.fixture.ts instead of the product's, and with its table. */
export async function createNotesApp(options: Omit<TestAppOptions, 'modules'> = {}): Promise<TestApp> {
  const app = await createTestApp({ ...options, modules: [NotesModule, OpenFormsModule] });
  await app.sql.query(NOTES_TABLE);
  await forbidForeignRows(app.app);
  return app;
}

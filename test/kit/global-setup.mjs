// Starts the PostgreSQL of this test run and makes the migrated template database that every test file clones.
import '../mcp/ts-loader.mjs';

export default async function globalSetup() {
  const { createTemplate } = await import('./template-database.ts');
  const { newDataDir } = await import('./data-dir.ts');
  const dataDir = newDataDir('test');
  const { serverUrl, stop } = await createTemplate(dataDir);
  process.env.TEST_SERVER_URL = serverUrl;
  process.env.TEST_DATA_DIR = dataDir;
  globalThis.__stopDatabase = stop;
}

// Starts the PostgreSQL of this test run and makes the migrated template database that every test file clones.
import '../mcp/ts-loader.mjs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default async function globalSetup() {
  const { createTemplate } = await import('./template-database.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'work-suite-test-'));
  const { serverUrl, stop } = await createTemplate(dataDir);
  process.env.TEST_SERVER_URL = serverUrl;
  process.env.TEST_DATA_DIR = dataDir;
  globalThis.__stopDatabase = stop;
}

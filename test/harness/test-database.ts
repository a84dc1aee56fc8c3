import { randomBytes } from 'node:crypto';
import { databaseUrl, onServer } from './database-server.js';

/** Creates a database for a test file as a copy of the migrated template. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const serverUrl = process.env.TEST_SERVER_URL as string;
  const name = `work_suite_test_${randomBytes(6).toString('hex')}`;
  // cloning needs exclusive access to the template, and test files start at the same time
  for (let attempt = 1; ; attempt++) {
    try {
      await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${process.env.TEST_TEMPLATE} ${process.env.TEST_CLONING ?? ''}`);
      break;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return { url: databaseUrl(serverUrl, name), drop: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}

import { randomBytes } from 'node:crypto';
import { databaseUrl, onServer } from './database-server.js';

/** The template with the demo, which the first test file that needs it creates. */
export const demoTemplate = (template: string) => `${template}_demo`;

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates a database for a test file as a copy of a template; without one, of the migrated template. */
export async function createTestDatabase(template = process.env.TEST_TEMPLATE): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_SERVER_URL as string;
  const name = `work_suite_test_${randomBytes(6).toString('hex')}`;
  // cloning needs exclusive access to the template, and test files start at the same time
  for (let attempt = 1; ; attempt++) {
    try {
      await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} ${process.env.TEST_CLONING ?? ''}`);
      break;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return { url: databaseUrl(serverUrl, name), drop: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}

import 'reflect-metadata';
import { createTestApp } from '../harness/app.js';
import { newDataDir } from '../harness/data-dir.js';
import { createTemplate } from '../harness/template-database.js';
import { conformanceExtension } from './conformance-extension.js';

export interface Target {
  /** The address of the MCP endpoint. */
  url: string;
  key: string;
  /** Who can authorize clients, with the password of workspaces. */
  ownerEmail: string;
  stop(): Promise<void>;
}

/** Starts the product as the server under test; `conformanceFixtures` adds the fixtures that the conformance suites expect. */
export async function startTarget({ conformanceFixtures = false } = {}): Promise<Target> {
  const database = process.env.TEST_SERVER_URL === undefined ? await startDatabase() : null;
  const app = await createTestApp({ mcpExtension: conformanceFixtures ? conformanceExtension : undefined });
  const workspace = await app.workspace();
  const { secret } = await workspace.key();
  return {
    url: `${app.url}/api/v1/ext/mcp`,
    key: secret,
    ownerEmail: workspace.owner.email,
    stop: async () => {
      await app.close();
      await database?.stop();
    },
  };
}

/** Outside of jest, whose global set-up otherwise starts the database. */
async function startDatabase() {
  const dataDir = newDataDir('mcp');
  const template = await createTemplate(dataDir);
  Object.assign(process.env, { TEST_SERVER_URL: template.serverUrl, TEST_DATA_DIR: dataDir });
  return {
    stop: async () => {
      await template.stop();
      delete process.env.TEST_SERVER_URL;
    },
  };
}

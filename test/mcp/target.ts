import { conformanceExtension } from './conformance-extension.js';
import { createFixtureApp, FIXTURE_KEY } from './fixture-app.js';

export interface Target {
  /** Of the MCP endpoint. */
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** The server the judges judge; `conformanceFixtures` adds what the conformance suites name to its own tools. */
export async function startTarget({ conformanceFixtures = false } = {}): Promise<Target> {
  const { app } = createFixtureApp(conformanceFixtures ? conformanceExtension : undefined);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${address}/api/v1/ext/mcp`, key: FIXTURE_KEY, stop: () => app.close() };
}

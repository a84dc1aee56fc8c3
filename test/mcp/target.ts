import { conformanceExtension } from './conformance-extension.js';
import { createFixtureApp, FIXTURE_KEY } from './fixture-app.js';

export interface Target {
  /** Of the MCP endpoint. */
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** The server the judges judge, with the conformance fixtures beside its own tools. */
export async function startTarget(): Promise<Target> {
  const { app } = createFixtureApp(conformanceExtension);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${address}/api/v1/ext/mcp`, key: FIXTURE_KEY, stop: () => app.close() };
}

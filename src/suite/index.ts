// What a project's suite.config.ts and its own programs import: `work-suite`.
import type { Suite } from './define-suite.js';

export { builtIn, defineSuite, type Suite, type SuiteModule, type SuiteOptions, type SuiteSettings } from './define-suite.js';

/**
 * Runs a suite in this process until SIGTERM: database, migrations, application and, in development, the demo. Without an argument, it
 * runs that of the project's suite.config.ts, as `work-suite start` does.
 */
export async function startSuite(suite?: Suite): Promise<void> {
  // a configuration is read before anything of the platform is loaded
  const { run } = await import('../start.js');
  await run({ suite });
}

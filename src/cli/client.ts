import { describeApi } from '../api-documents.js';
import { writeClientPackage } from '../platform/client/client-package.js';
import { startableModules } from '../platform/registry/startable-modules.js';
import { loadSuite } from '../suite/load-suite.js';
import { loadModules } from '../suite/suite-modules.js';
import { runCommand, type Commands } from './command-line.js';

const USAGE = `The typed client of this suite, as an npm package.

  work-suite client --out ../acme-shop/suite-client

  --out <folder>  where to write it; an earlier client is replaced`;

const COMMANDS = {
  write: {
    options: { out: { type: 'string' } },
    run: async (given) => {
      const folder = given.required('out');
      const { modules } = await loadModules(await loadSuite());
      writeClientPackage(await describeApi(startableModules(modules).modules), folder);
      console.log(`Written to ${folder}. Install it with: npm install ${folder}`);
    },
  },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args[0] === '--help' ? args : ['write', ...args]);
}

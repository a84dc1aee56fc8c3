import { noteSeeding } from '../demo/demo-file.js';
import { seedDemo } from '../demo/demo-seed.js';
import { loadConfig } from '../platform/config/config.js';
import { loadSuite } from '../suite/load-suite.js';
import { withApplication } from './cli-context.js';
import { runCommand, type Commands } from './command-line.js';

const USAGE = `Creates the demo data again, whether or not the suite is running.

  work-suite demo:seed --erase

  --erase  deletes the test data that is there before; without it, there must be none

With DEMO_SECRET_SEED, the records have the same ids each time.`;

const COMMANDS = {
  seed: {
    options: { erase: { type: 'boolean' } },
    run: async (given) => {
      const config = loadConfig(undefined, { settings: (await loadSuite()).settings });
      const reason = await withApplication((app) => seedDemo(app, config, { erase: given.flag('erase') }));
      if (reason === null) {
        noteSeeding(config.dataDir);
        return console.log('The demo workspace has its test data.');
      }
      process.exitCode = 1;
      console.error(reason);
    },
  },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args[0] === '--help' ? args : ['seed', ...args]);
}

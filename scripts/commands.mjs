// The commands of work-suite: one line each.

/** Need only Node, and run in this process: scripts/<file>.mjs exports `run(args)`. The last item names all arguments, if it is there. */
const LAUNCHED = {
  start: ['start', 'Runs the suite, after compiling what has changed.', []],
  build: ['build', 'Compiles the project, for a start without the compiler.', ['--declarations']],
  dev: ['dev', 'Runs the suite, and compiles, checks the types and starts anew at every change.', []],
  test: ['test', 'Runs the tests; with arguments, which are those of jest, only some.'],
  new: ['new', 'Writes a project (new <folder>), or a part of this one: new module, new resource, new migration.'],
  listen: ['listen', 'Forwards events of a running suite to a URL, signed as webhooks are.'],
  trigger: ['trigger', 'Causes an event in the test data of a running suite.'],
  'demo:reset': ['demo-reset', 'Stops the suite and deletes the data of the demo.', []],
};

/** Need the suite's services, on its database: src/cli/<name>.ts, with a hyphen for the colon, exports `run(args)`. */
const SERVICES = {
  migrate: 'Migrations: runs those that the database lacks, or shows, plans or reverts them.',
  jobs: 'Scheduled jobs: list, and run one now or as of a time.',
  keys: 'API keys: create, list, roll, revoke.',
  org: 'Organizations: create, list, delete, reset a password or a second factor.',
  person: 'People: erases what is stored about one.',
  audit: 'The audit log: verifies its hash chain.',
  outbound: 'Webhooks and mails: whether a copied database holds them back, and its release.',
  storage: 'Contents of files: where they are, and moving them between the database and the storage.',
  secrets: 'Stored secrets: replaces the key that encrypts them.',
  client: 'The typed client of this suite: writes it as an npm package.',
  'demo:seed': 'The demo: makes its test data again.',
};

const fileOf = (name) => name.replace(':', '-');

/** Those, and what other commands run. */
export const SERVICE_COMMANDS = [...Object.keys(SERVICES).map(fileOf), 'new-migration'];

/** By name: what it does, and the function that runs it with the further arguments and resolves with the exit code. */
export const COMMANDS = {
  ...Object.fromEntries(
    Object.entries(LAUNCHED).map(([name, [file, about, accepted]]) => [
      name,
      { about, accepted, run: async (args) => (await import(`./${file}.mjs`)).run(args) },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SERVICES).map(([name, about]) => [
      name,
      { about, run: async (args) => (await import('./service-command.mjs')).run([fileOf(name), ...args]) },
    ]),
  ),
};

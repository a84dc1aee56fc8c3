#!/usr/bin/env node
// work-suite <command>: in the project of a team; and what the npm scripts of this repository run. Runs under any Node >= 20.
import { COMMANDS } from './commands.mjs';
import { fail } from './prepare.mjs';

const [name = 'help', ...args] = process.argv.slice(2);

if (Object.hasOwn(COMMANDS, name)) {
  await COMMANDS[name].run(args).then((code) => process.exit(code), fail);
} else {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  const lines = Object.entries(COMMANDS).map(([command, { about }]) => `  work-suite ${command.padEnd(width)}  ${about}`);
  const isHelp = ['help', '--help', '-h'].includes(name);
  (isHelp ? console.log : console.error)([...(isHelp ? [] : [`There is no command "${name}".\n`]), 'Commands:', ...lines].join('\n'));
  process.exit(isHelp ? 0 : 2);
}

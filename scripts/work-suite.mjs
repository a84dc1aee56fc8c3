#!/usr/bin/env node
// work-suite <command>: in the project of a team; and what the npm scripts of this repository run. Runs under any Node >= 20.
import { COMMANDS } from './commands.mjs';
import { fail } from './prepare.mjs';

const [name = 'help', ...args] = process.argv.slice(2);

const { about, accepted } = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : {};
const unknown = accepted && args.find((arg) => !accepted.includes(arg));

if (unknown !== undefined) {
  const isHelp = ['--help', '-h', 'help'].includes(unknown);
  (isHelp ? console.log : console.error)(`${isHelp ? '' : `There is no argument "${unknown}". `}work-suite ${name}: ${about}`);
  process.exit(isHelp ? 0 : 2);
} else if (about !== undefined) {
  await COMMANDS[name].run(args).then((code) => process.exit(code), fail);
} else {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  const lines = Object.entries(COMMANDS).map(([command, { about }]) => `  work-suite ${command.padEnd(width)}  ${about}`);
  const isHelp = ['help', '--help', '-h'].includes(name);
  (isHelp ? console.log : console.error)([...(isHelp ? [] : [`There is no command "${name}".\n`]), 'Commands:', ...lines].join('\n'));
  process.exit(isHelp ? 0 : 2);
}

import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CommonErrors, ConfigError } from '../kit/index.js';
import { runCommand, type Given } from './command-line.js';

let printed: string[];
let complained: unknown[];

beforeEach(() => {
  printed = [];
  complained = [];
  jest.spyOn(console, 'log').mockImplementation((text) => void printed.push(text as string));
  jest.spyOn(console, 'error').mockImplementation((text) => void complained.push(text));
});

afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = undefined;
});

const options = { name: { type: 'string' }, count: { type: 'string' }, json: { type: 'boolean' } } as const;

/** The exit code of a command line with the given implementation of its command. */
async function exitOf(args: string[], work: (given: Given) => unknown = () => undefined): Promise<number> {
  // earlier code in this process may have set one
  process.exitCode = 0;
  await runCommand({ make: { options, words: ['id'], run: async (given) => void (await work(given)) } }, 'USAGE', args);
  return Number(process.exitCode ?? 0);
}

test('a command receives its arguments, options and flags', async () => {
  let seen: unknown;
  const code = await exitOf(['make', 'x1', '--name', 'a, b,,c', '--count', '12', '--json'], (given) => {
    seen = [
      given.required('id'),
      given.list('name'),
      given.number('count'),
      given.flag('json'),
      given.text('nothing'),
      given.list('nothing'),
    ];
  });
  expect([code, seen]).toEqual([0, ['x1', ['a', 'b', 'c'], 12, true, undefined, undefined]]);
});

test.each<[string, string[], string]>([
  ['an unknown command', ['destroy'], 'There is no command "destroy".'],
  ['a name that every object has', ['constructor'], 'There is no command "constructor".'],
  ['an unknown option', ['make', 'x', '--colour', 'red'], "Unknown option '--colour'."],
  ['a missing word', ['make'], 'The id is missing.'],
  ['an argument too many', ['make', 'x', 'y'], '"y" is one argument too many.'],
  ['an option without its value', ['make', 'x', '--name'], "Option '--name <value>' argument missing."],
])('%s prints the usage, with exit code 2', async (_, args, sentence) => {
  expect(await exitOf(args)).toBe(2);
  expect(complained).toEqual([`${sentence}\n\nUSAGE`]);
});

test('a usage error that the command itself throws prints the usage, too', async () => {
  expect(await exitOf(['make', 'x'], (given) => given.required('name'))).toBe(2);
  expect(await exitOf(['make', 'x', '--count', '1.5'], (given) => given.number('count'))).toBe(2);
  expect(complained).toEqual(['--name is required.\n\nUSAGE', '--count must be a whole number, but it is "1.5".\n\nUSAGE']);
});

test.each([[[]], [['help']], [['--help']]])('%j prints the usage', async (args) => {
  expect(await exitOf(args)).toBe(0);
  expect(printed).toEqual(['USAGE']);
});

test('an expected error prints one sentence with the allowed values, with exit code 1', async () => {
  const errors = [
    new ConfigError('The database is away.'),
    CommonErrors.validationFailed({ message: 'scopes must lie inside', allowed: ['a', 'b'] }),
    CommonErrors.validationFailed({ message: 'mode must be one of a, b', allowed: ['a', 'b'] }),
  ];
  for (const error of errors) expect(await exitOf(['make', 'x'], () => Promise.reject(error))).toBe(1);
  expect(complained).toEqual(['The database is away.', 'scopes must lie inside (allowed: a, b).', 'mode must be one of a, b.']);
});

test('an unexpected error prints its stack trace', async () => {
  const fault = new Error('broken');
  expect(await exitOf(['make', 'x'], () => Promise.reject(fault))).toBe(1);
  expect(complained).toEqual([fault]);
});

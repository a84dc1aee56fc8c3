import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { expect, jest, test } from '@jest/globals';

// Jest documents none of what native-runtime.mjs and native-environment.mjs replace. What a new version of jest renames would be left out
// without an error: jest would load the files again itself, or state of one file would reach the next.

interface Internals {
  prototype: Record<string, unknown>;
}

const { default: NativeRuntime } = (await import(new URL('native-runtime.mjs', import.meta.url).href)) as { default: Internals };
const { default: NativeEnvironment } = (await import(new URL('native-environment.mjs', import.meta.url).href)) as { default: Internals };
const require = createRequire(createRequire(import.meta.url).resolve('jest'));
const Jest = (require('jest-runtime') as { default: Internals }).default;
const Node = (require('jest-environment-node') as { TestEnvironment: Internals }).TestEnvironment;
const membersOf = ({ prototype }: Internals) => Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');

test('Node loads the test files, in the context of the process', () => {
  expect([Error, globalThis]).toEqual([runInThisContext('Error'), runInThisContext('globalThis')]);
  expect(Error).toBe(runInThisContext('Error'));
});

test('what the runtime replaces and calls are methods of the runtime of jest', () => {
  const methods = [...membersOf(NativeRuntime), 'requireModuleOrMock'];
  expect(methods.filter((name) => typeof Jest.prototype[name] !== 'function')).toEqual([]);
});

test('what the environment has is what the environment of jest has, and jest calls it with each event', () => {
  const events = ['handleTestEvent'];
  expect(membersOf(NativeEnvironment).filter((name) => !events.includes(name) && !(name in Node.prototype))).toEqual([]);
});

test('the state of a test file stands where the environment deletes it', () => {
  const symbols = Object.getOwnPropertySymbols(globalThis).map(({ description }) => description);
  expect(symbols).toEqual(expect.arrayContaining(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']));
});

test('the functions of jest are those of the present file', () => {
  expect(expect.getState().testPath).toBe(import.meta.filename);
  expect(jest.isMockFunction(jest.spyOn({ act: () => 1 }, 'act'))).toBe(true);
});

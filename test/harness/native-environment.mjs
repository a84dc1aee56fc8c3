// Jest's environment for test files that Node itself loads (native-runtime.mjs): they use the globals of their process, which are
// restored after each file.
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainFailure, forgetServerErrors } from './explain-failure.mjs';

// parts of jest, in its own version
const require = createRequire(createRequire(import.meta.url).resolve('jest'));
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Where the test framework keeps the tests and the listeners of the present file. */
const STATE_OF_A_FILE = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);

const DAY_MS = 24 * 60 * 60_000;
const LONGEST_FILE_MS = 2 * 60_000;

export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  // of an earlier kind, which jest expects to find
  fakeTimers = null;
  #listeners = process.listeners('message');
  #original = { console, exit: process.exit, env: { ...process.env } };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** Many tests take today's date first, and read later what the application makes of it: none begins shortly before a day ends. */
  async setup() {
    const left = DAY_MS - (Date.now() % DAY_MS);
    // a timer may fire a millisecond early
    if (left < LONGEST_FILE_MS) await sleep(left + 10);
  }

  async handleTestEvent({ name, error }) {
    if (name === 'test_start') forgetServerErrors();
    if (name === 'test_fn_failure' || name === 'hook_failure') await explainFailure(error);
  }

  async teardown() {
    // what would keep the worker from ending: exit hooks of libraries, and connections whose last answer nobody has read
    for (const listener of process.listeners('message')) if (!this.#listeners.includes(listener)) process.off('message', listener);
    for (const handle of process._getActiveHandles()) if (handle instanceof Socket && handle.remotePort) handle.unref();
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { console, exit, env } = this.#original;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const key of Object.getOwnPropertySymbols(globalThis)) if (STATE_OF_A_FILE.has(key.description)) delete globalThis[key];
  }

  getVmContext() {
    return null;
  }
}

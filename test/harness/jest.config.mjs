// Jest's configuration, for this repository and for projects that use the package.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '#scripts/prepare.mjs';

const here = (name) => join(import.meta.dirname, name);

/** @type {import('jest').Config} */
export default {
  rootDir: PROJECT,
  roots: ['src', 'test'].map((folder) => join(PROJECT, folder)).filter((folder) => existsSync(folder)),
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  // Node loads the test files
  transform: {},
  globalSetup: here('global-setup.mjs'),
  globalTeardown: here('global-teardown.mjs'),
  testSequencer: here('longest-first.mjs'),
  testEnvironment: here('native-environment.mjs'),
  runtime: here('native-runtime.mjs'),
  // for a busy machine: tests that take 10 s on an idle one took a minute on one at a load of 14
  testTimeout: 120_000,
  // one more than the cores of the smallest machine: many tests wait for mails, browsers and processes
  maxWorkers: 3,
  // for a busy machine: jest reports a worker that leaves something open after this time
  workerGracefulExitTimeout: 10_000,
};

/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  // Node loads the test files
  transform: {},
  globalSetup: '<rootDir>/test/harness/global-setup.mjs',
  globalTeardown: '<rootDir>/test/harness/global-teardown.mjs',
  testSequencer: '<rootDir>/test/harness/longest-first.mjs',
  testEnvironment: '<rootDir>/test/harness/native-environment.mjs',
  runtime: '<rootDir>/test/harness/native-runtime.mjs',
  // for a busy machine: tests that take 10 s on an idle one took a minute on one at a load of 14
  testTimeout: 120_000,
  // one more than the cores of the smallest machine: many tests wait for mails, browsers and processes
  maxWorkers: 3,
  // for a busy machine: jest reports a worker that leaves something open after this time
  workerGracefulExitTimeout: 10_000,
};

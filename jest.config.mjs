/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1' },
  globalSetup: '<rootDir>/test/kit/global-setup.mjs',
  globalTeardown: '<rootDir>/test/kit/global-teardown.mjs',
  testSequencer: '<rootDir>/test/kit/longest-first.mjs',
  testEnvironment: '<rootDir>/test/kit/fast-environment.mjs',
  // for a busy machine: the migrations spec takes 10 s on an idle one
  testTimeout: 60_000,
  maxWorkers: 2,
};

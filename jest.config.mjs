export { default } from './test/harness/jest.config.mjs';

// What the tests of a module import.
export { describeModule } from './contract/module/describe-module.js';
export type { DescribeModuleOptions, Sample } from './contract/module/module-samples.js';
export { ownApp, sharedApp } from './harness/hosted-app.js';
export { SuiteTestingModule, TestOrganizations, type TestOrganization } from './harness/testing-module.js';

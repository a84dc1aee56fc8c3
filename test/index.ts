// What the tests of a module import.
export { describeModule } from './contract/module/describe-module.js';
export { SampleFile, type DescribeModuleOptions, type Sample, type SampleContext } from './contract/module/module-samples.js';
export { sqlFaults } from './contract/module/module-sql.js';
export { eventually } from './harness/eventually.js';
export { ownApp, sharedApp } from './harness/hosted-app.js';
export { SuiteTestingModule, TestOrganizations, type TestOrganization } from './harness/testing-module.js';

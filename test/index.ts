// What the tests of a module import; projects import it as work-suite/testing.
export { describeModule } from './contract/module/describe-module.js';
export { SampleFile, type DescribeModuleOptions, type Sample, type SampleContext } from './contract/module/module-samples.js';
export { sqlFaults } from './contract/module/module-sql.js';
export { Client } from './harness/client.js';
export { eventually } from './harness/eventually.js';
export { ownApp, sharedApp, sharedMailApp } from './harness/hosted-app.js';
export { Mailbox, type ReceivedMail } from './harness/mailbox.js';
export { Receiver, type Behavior, type Received, type Subscription } from './harness/receiver.js';
export type { TestApp } from './harness/test-app.js';
export { SuiteTestingModule, TestOrganizations, type TestOrganization } from './harness/testing-module.js';
export type { IssuedKey, Workspace } from './harness/workspace.js';

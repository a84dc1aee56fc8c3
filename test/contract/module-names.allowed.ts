/**
 * The places that still name modules, with the number of names. It only gets shorter: a file may have fewer, none may be added.
 */
export const ALLOWED: Readonly<Record<string, number>> = {
  // examples in the documentation of fields
  'src/platform/docs/docs.ts': 3,
  // pages about one module, which say so in `module`
  'src/console/activity/log-filters.ts': 1,
  'src/console/automation/ai-credits.page.ts': 5,
  'src/console/automation/trigger.page.ts': 4,
  'src/console/automation/triggers.page.ts': 4,
  'src/console/lead-webhook/lead-key-new.page.ts': 5,
  'src/console/lead-webhook/lead-key.page.ts': 5,
  'src/console/lead-webhook/lead-keys.page.ts': 6,
  'src/console/lead-webhook/lead-keys.ts': 2,
  'src/console/lead-webhook/lead-request.page.ts': 3,
  'src/console/lead-webhook/lead-requests.page.ts': 6,
  'src/console/pages.ts': 5,
  // tests of every module that try a rule on one of them
  'test/contract/body-cost.e2e-spec.ts': 12,
  'test/contract/declarations.ts': 3,
  'test/contract/developer-area.e2e-spec.ts': 13,
  'test/contract/hostile-input.e2e-spec.ts': 55,
  'test/contract/http-server.e2e-spec.ts': 2,
  'test/contract/member-routes.e2e-spec.ts': 17,
  'test/contract/new-module.spec.ts': 2,
  'test/contract/openapi.spec.ts': 9,
  'test/contract/properties.spec.ts': 19,
  'test/contract/taken-values.e2e-spec.ts': 7,
  'test/contract/typed-client.spec.ts': 5,
  // what all tests share
  'test/harness/console-samples.ts': 10,
  'test/contract/module/module-projects.ts': 1,
  'test/contract/module/module-samples.ts': 2,
  'test/harness/oauth.ts': 4,
  'test/harness/start-demo.ts': 1,
};

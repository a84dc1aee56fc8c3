// The order of the test files. Jest begins with the largest when it does not remember how long they took, as in a fresh checkout. A
// long one that begins last leaves the other worker without work, so these come first, by their seconds, roughly.
// An entry whose file is gone has no effect.
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { PROJECT } from '#scripts/prepare.mjs';

const SECONDS = {
  'src/modules/documents/documents.routes.e2e-spec.ts': 62,
  'test/contract/properties.spec.ts': 59,
  'src/console/pages.browser.e2e-spec.ts': 49,
  'test/faults/killed-workers.e2e-spec.ts': 34,
  'test/contract/new-module.spec.ts': 33,
  'test/journeys/boot.e2e-spec.ts': 30,
  'src/cli/cli.e2e-spec.ts': 27,
  'test/faults/invitations.e2e-spec.ts': 26,
  'src/modules/documents/workflow/signing/ceremony/signing.browser.e2e-spec.ts': 26,
  'src/modules/documents/workflow/files/document-files.e2e-spec.ts': 22,
  'test/contract/lone-module.e2e-spec.ts': 21,
  'src/modules/inventory/inventory.routes.e2e-spec.ts': 21,
  'src/modules/storefront/storefront.routes.e2e-spec.ts': 19,
  'test/contract/body-cost.e2e-spec.ts': 18,
  'src/modules/accounting/accounting.routes.e2e-spec.ts': 17,
  'src/console/pages.e2e-spec.ts': 17,
  'src/modules/documents/workflow/signing/ceremony/placed-fields.browser.e2e-spec.ts': 16,
  'test/journeys/documents.e2e-spec.ts': 15,
  'src/modules/documents/engine/typesetting/pdf-typesetter.spec.ts': 14,
  'src/platform/http/database-outages.e2e-spec.ts': 14,
  'src/modules/documents/engine/pdf/render-pdf.spec.ts': 14,
  'test/contract/migrations.spec.ts': 13,
  'src/modules/schedule/schedule.routes.e2e-spec.ts': 13,
  'src/modules/storefront/order-model.e2e-spec.ts': 12,
  'test/faults/killed-api.e2e-spec.ts': 12,
  'test/contract/entities.spec.ts': 12,
  'test/contract/hostile-input.e2e-spec.ts': 11,
  'src/modules/schedule/bookings/offered-times.e2e-spec.ts': 11,
  'src/modules/crm/crm.routes.e2e-spec.ts': 11,
  'src/modules/desk/inbox/desk-mail.e2e-spec.ts': 11,
  'src/modules/documents/workflow/files/several-files.e2e-spec.ts': 11,
  'src/modules/documents/workflow/signing/parties/parties.e2e-spec.ts': 10,
  'test/journeys/typed-client.spec.ts': 10,
  'test/contract/openapi.spec.ts': 10,
  'src/modules/desk/desk.routes.e2e-spec.ts': 10,
  'test/journeys/readme.e2e-spec.ts': 10,
  'src/demo/samples.e2e-spec.ts': 10,
  'test/contract/kit-examples.spec.ts': 10,
  'src/demo/demo.e2e-spec.ts': 9,
  'test/contract/planted-leaks.spec.ts': 9,
  'src/platform/webhooks/webhooks.e2e-spec.ts': 9,
  'src/modules/schedule/bookings/bookings.browser.e2e-spec.ts': 9,
  'src/modules/desk/inbox/mail-senders.e2e-spec.ts': 8,
  'src/platform/people/roles/default-permissions.e2e-spec.ts': 8,
  'src/modules/documents/workflow/verification/verification.e2e-spec.ts': 8,
  'src/platform/organization-data/organization-data.e2e-spec.ts': 8,
  'src/modules/tasks/tasks.routes.e2e-spec.ts': 8,
};

// a part of jest, like the one that it replaces
const Sequencer = createRequire(createRequire(import.meta.url).resolve('jest'))('@jest/test-sequencer').default;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = ({ path }) => SECONDS[relative(PROJECT, path)] ?? 0;
    // stable: all others stay in jest's own order
    return super.sort(tests).toSorted((a, b) => seconds(b) - seconds(a));
  }
}

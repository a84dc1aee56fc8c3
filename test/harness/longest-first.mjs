// The order of the test files. Jest begins with the largest when it does not remember how long they took, as in a fresh checkout. A
// long one that begins last leaves the other worker without work, so these come first, by their seconds, roughly.
// An entry whose file is gone has no effect.
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { PROJECT } from '#scripts/prepare.mjs';

const SECONDS = {
  'test/faults/killed-workers.e2e-spec.ts': 70,
  'test/contract/properties.spec.ts': 60,
  'test/contract/new-module.spec.ts': 60,
  'src/modules/storefront/order-model.e2e-spec.ts': 47,
  'src/modules/documents/documents.routes.e2e-spec.ts': 45,
  'test/journeys/boot.e2e-spec.ts': 41,
  'src/modules/inventory/inventory.routes.e2e-spec.ts': 35,
  'test/contract/body-cost.e2e-spec.ts': 34,
  'src/console/pages.browser.e2e-spec.ts': 34,
  'test/faults/invitations.e2e-spec.ts': 33,
  'src/modules/documents/workflow/signing/ceremony/signing.browser.e2e-spec.ts': 33,
  'test/contract/lone-module.e2e-spec.ts': 30,
  'src/modules/accounting/accounting.routes.e2e-spec.ts': 25,
  'src/modules/storefront/storefront.routes.e2e-spec.ts': 25,
  'src/platform/http/database-outages.e2e-spec.ts': 24,
  'test/journeys/documents.e2e-spec.ts': 24,
  'src/modules/schedule/schedule.routes.e2e-spec.ts': 22,
  'src/modules/documents/engine/pdf/render-pdf.spec.ts': 19,
  'src/modules/documents/engine/typesetting/pdf-typesetter.spec.ts': 19,
  'test/contract/readme.spec.ts': 19,
  'test/contract/migrations.spec.ts': 17,
  'src/console/pages.e2e-spec.ts': 17,
  'test/contract/hostile-input.e2e-spec.ts': 15,
  'src/demo/samples.e2e-spec.ts': 15,
  'src/modules/desk/inbox/desk-mail.e2e-spec.ts': 15,
  'test/faults/lost-jobs.e2e-spec.ts': 15,
  'src/modules/desk/desk.routes.e2e-spec.ts': 14,
  'src/modules/crm/crm.routes.e2e-spec.ts': 14,
  'src/platform/request-log/mask-body.spec.ts': 14,
  'src/modules/documents/workflow/files/document-files.e2e-spec.ts': 14,
  'test/contract/openapi.spec.ts': 13,
  'src/demo/demo.e2e-spec.ts': 13,
  'src/platform/mail/mail-server.e2e-spec.ts': 12,
  'test/journeys/commerce.e2e-spec.ts': 12,
  'test/journeys/purge-test-rows.e2e-spec.ts': 12,
  'test/contract/boundaries.spec.ts': 12,
  'src/modules/schedule/bookings/bookings.browser.e2e-spec.ts': 12,
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

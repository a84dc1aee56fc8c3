// The order of the test files. Jest begins with the largest when it does not remember how long they took, as in a fresh checkout. A
// long one that begins last leaves the other worker without work, so these come first, by their seconds, roughly.
// An entry whose file is gone has no effect.
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SECONDS = {
  'test/faults/killed-workers.e2e-spec.ts': 38,
  'test/journeys/boot.e2e-spec.ts': 31,
  'test/contract/properties.spec.ts': 29,
  'src/modules/documents/rendering/pdf/render-pdf.spec.ts': 18,
  'test/contract/body-cost.e2e-spec.ts': 15,
  'src/modules/schedule/icalendar/calendar-object.spec.ts': 15,
  'test/contract/new-module.spec.ts': 14,
  'src/cli/cli.e2e-spec.ts': 10,
  'src/modules/documents/signing/ceremony/signing.browser.e2e-spec.ts': 9,
  'src/modules/documents/generation/forms/form-page.browser.e2e-spec.ts': 9,
  'src/platform/webhooks/endpoints/disabled-endpoints.e2e-spec.ts': 8,
  'src/platform/keys-epoch/keys-epoch.spec.ts': 8,
  'src/modules/lead-webhook/imports/lead-imports.e2e-spec.ts': 8,
  'src/platform/docs/swagger-ui.browser.e2e-spec.ts': 8,
  'src/platform/rate-limit/redis-limiter.spec.ts': 8,
  'test/faults/lost-jobs.e2e-spec.ts': 7,
  'test/contract/migrations.spec.ts': 7,
};

// a part of jest, like the one that it replaces
const Sequencer = createRequire(createRequire(import.meta.url).resolve('jest'))('@jest/test-sequencer').default;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = ({ path }) => SECONDS[relative(ROOT, path)] ?? 0;
    // stable: all others stay in jest's own order
    return super.sort(tests).toSorted((a, b) => seconds(b) - seconds(a));
  }
}

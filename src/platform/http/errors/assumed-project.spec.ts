import { expect, test } from '@jest/globals';
import { CommonErrors } from '../../../kit/index.js';
import { namingProject } from './assumed-project.js';

const ASSUMED = '; the project ENG was assumed, because project_id was not sent';

test.each([
  ['stage_id', 'must belong to the pipeline', ASSUMED],
  ['lines.0.variant_id', 'must be a variant', ASSUMED],
  ['contact_ids.2', 'is no contact', ASSUMED],
  ['sku', 'must be the SKU of an item of the project', ASSUMED],
  ['due_on', "must be a day in the time zone of the project's members", ''],
  ['amount', 'must be positive', ''],
  ['project_id', 'must be that of the project', ''],
])('an error of %s that %s', (param, message, added) => {
  const error = CommonErrors.validationFailed({ param, message, allowed: ['1'] });
  expect(namingProject(error, null)).toBe(error);
  const named = namingProject(error, 'ENG');
  expect(named).toMatchObject({ spec: error.spec, message: message + added, occurrence: { param, allowed: ['1'] } });
});

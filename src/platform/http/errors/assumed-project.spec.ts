import { expect, test } from '@jest/globals';
import { invalid, notOfProject, notOneOf, type DomainError } from '../../../kit/index.js';
import { namingProject } from './assumed-project.js';

const ASSUMED = '; the project ENG was assumed, because project_id was not sent';

test.each<[DomainError, string]>([
  [notOfProject('sku', 'must be the SKU of an item of the project', ['1']), ASSUMED],
  [notOneOf('channel_id', 'must be an active channel', [{ id: '1', name: 'Shop' }], 'name'), ASSUMED],
  [invalid('owner_id', 'must be a member', ['1']), ''],
])('%s', (error, added) => {
  expect(namingProject(error, null)).toBe(error);
  const { spec, message, occurrence } = error;
  expect(namingProject(error, 'ENG')).toMatchObject({
    spec,
    message: message + added,
    occurrence: { param: occurrence.param, allowed: ['1'] },
  });
});

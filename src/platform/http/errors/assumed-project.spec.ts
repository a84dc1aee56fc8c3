import { expect, test } from '@jest/globals';
import { duplicateOf, invalid, notOfProject, notOneOf, type DomainError } from '../../../kit/index.js';
import { namingProject } from './assumed-project.js';

const ASSUMED = '; the project ENG was assumed, because project_id was not sent';

test('a question ends before the project is named', () => {
  const { message } = namingProject(notOfProject('sku', 'is unknown; did you mean A-1?', ['1']), { key: 'ENG', isAssumed: true });
  expect(message).toMatch(/A-1\? The project ENG was assumed, because project_id was not sent\.$/);
});

test.each<[DomainError, string]>([
  [notOfProject('sku', 'must be the SKU of an item of the project', ['1']), ASSUMED],
  [notOneOf('channel_id', 'must be an active channel', [{ id: '1', name: 'Shop' }], 'name'), ASSUMED],
  [duplicateOf('sku', 'A-1', '1'), ASSUMED],
  [invalid('owner_id', 'must be a member', ['1']), ''],
])('%s', (error, added) => {
  expect(namingProject(error, null)).toBe(error);
  const { spec, message, occurrence } = error;
  const named = namingProject(error, { key: 'ENG', isAssumed: true });
  expect([named.spec, named.message]).toEqual([spec, message + added]);
  expect([named.occurrence.param, named.occurrence.allowed]).toEqual([occurrence.param, occurrence.allowed]);
});

test('a project that other ids lead to is named, too', () => {
  const { message } = namingProject(notOfProject('sku', 'must be the SKU of an item of the project'), { key: 'OPS', isAssumed: false });
  expect(message).toBe('sku must be the SKU of an item of the project; the project is OPS');
});

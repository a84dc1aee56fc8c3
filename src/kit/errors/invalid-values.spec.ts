import { expect, it } from '@jest/globals';
import { notOneOf, requireRoom } from './invalid-values.js';

const CHOICES = [
  { id: '1', code: 'MAIN', active: true },
  { id: '2', code: 'SHOP', active: true },
];

it('lists the choices by their labels while they are few', () => {
  const refusal = notOneOf('location_id', 'must be a location', CHOICES, 'code');
  expect(refusal.message).toBe('location_id must be a location: MAIN is 1, SHOP is 2');
  expect(refusal.occurrence).toMatchObject({ param: 'location_id', allowed: ['1', '2'] });
  const many = Array.from({ length: 21 }, (_, index) => ({ id: String(index), code: 'X' }));
  for (const choices of [[], many])
    expect(notOneOf('location_id', 'must be a location', choices, 'code').message).toBe('location_id must be a location');
});

it('refuses one more than a project can have', () => {
  expect(() => requireRoom([1], 2, 'channels')).not.toThrow();
  expect(() => requireRoom([1, 2], 2, 'channels')).toThrow('A project can have at most 2 channels; delete one first.');
});

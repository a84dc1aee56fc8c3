import { expect, test } from '@jest/globals';
import { VALUE_FORMATS } from './value-formats.js';

test('a party has at most 255 characters', () => {
  expect(['𝒜'.repeat(255), '𝒜'.repeat(256)].map(VALUE_FORMATS.party.validate)).toEqual([true, false]);
});

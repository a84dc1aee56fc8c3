import { expect, test } from '@jest/globals';
import { normalizedText, VALUE_FORMATS } from './value-formats.js';

test('a party has at most 255 characters', () => {
  expect(['𝒜'.repeat(255), '𝒜'.repeat(256)].map(VALUE_FORMATS.party.validate)).toEqual([true, false]);
});

test('a phone number can begin with 00 instead of a plus sign', () => {
  const phone = (text: string) => normalizedText({ type: 'string', 'x-format': 'phone' }, text);
  expect(['0049 30 901820', '00 49 30 901820', '030 901820', '0000'].map(phone)).toEqual([
    '+4930901820',
    '+4930901820',
    '030 901820',
    '0000',
  ]);
});

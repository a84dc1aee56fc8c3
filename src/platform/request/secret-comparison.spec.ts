import { expect, test } from '@jest/globals';
import { isSecret } from './secret-comparison.js';

test.each<[unknown, string | undefined, boolean]>([
  ['zG2aQe', 'zG2aQe', true],
  ['zG2aQf', 'zG2aQe', false],
  ['zG2aQ', 'zG2aQe', false],
  ['é', 'ab', false],
  ['', '', false],
  [undefined, undefined, false],
  [undefined, 'undefined', false],
  [['zG2aQe'], 'zG2aQe', false],
])('%j for %j: %s', (given, expected, result) => expect(isSecret(given, expected)).toBe(result));

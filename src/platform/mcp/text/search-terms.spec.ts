import { expect, test } from '@jest/globals';
import { stem } from './search-terms.js';

test.each([
  ['cancelled', 'canceled', 'cancel'],
  ['cancelling', 'canceling', 'cancel'],
  ['labelled', 'labeled', 'label'],
  ['centre', 'center', 'centers'],
  ['colour', 'color', 'colours'],
  ['organised', 'organized', 'organize'],
  ['organisation', 'organization', 'organizations'],
  ['licence', 'license', 'licensed'],
  ['catalogue', 'catalog', 'catalogs'],
  ['fulfilment', 'fulfillment', 'fulfillments'],
  ['shipped', 'shipping', 'ship'],
])('%s, %s and %s have one stem', (...words) => expect(new Set(words.map(stem)).size).toBe(1));

test.each([
  ['fill', 'file'],
  ['roll', 'role'],
])('%s and %s have two', (one, other) => expect(stem(one)).not.toBe(stem(other)));

import { expect, test } from '@jest/globals';
import { preferredType } from './accepted.js';

const JSON_OR_CSV = ['application/json', 'text/csv'];
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

test.each<[string | undefined, string]>([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['Text/CSV; charset=utf-8', 'text/csv'],
  ['text/*', 'text/csv'],
  ['text/csv, */*', 'text/csv'],
  ['application/json, text/csv', 'application/json'],
  ['text/csv, application/json', 'text/csv'],
  ['text/csv;q=0.5, application/json;q=0.9', 'application/json'],
  ['text/csv;q=0.5, application/json;q=0.4', 'text/csv'],
  ['application/json;q=0, */*', 'text/csv'],
  ['*/*;q=0.9, application/json;q=0.1', 'text/csv'],
  ['text/csv;q=nonsense', 'application/json'],
  ['image/png', 'application/json'],
  ['text/csv;q=0', 'application/json'],
  [BROWSER, 'application/json'],
])('Accept "%s" selects %s of JSON and CSV', (accept, preferred) => expect(preferredType(accept, JSON_OR_CSV)).toBe(preferred));

test('selects HTML for a browser and JSON for other clients', () => {
  const offered = ['application/json', 'text/html'];
  expect([BROWSER, '*/*', 'application/json', undefined].map((accept) => preferredType(accept, offered))).toEqual([
    'text/html',
    'application/json',
    'application/json',
    'application/json',
  ]);
});

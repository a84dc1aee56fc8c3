import { expect, test } from '@jest/globals';
import { escapeHtml } from '../pages/escape-html.js';
import { firstCharacters, isCalendarDay, isInstant, isLongerThan, isUuid } from './formats.js';

test.each<[unknown, boolean]>([
  ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60', true],
  ['0198C5A0-7C1E-7B3A-9D57-3F4B8F1D2A60', true],
  ['0198c5a07c1e7b3a9d573f4b8f1d2a60', false],
  ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60\n', false],
  [7, false],
])('isUuid(%j) is %p', (value, expected) => expect(isUuid(value)).toBe(expected));

test('lengths count code points', () => {
  expect([isLongerThan('🙂🙂', 2), isLongerThan('🙂🙂a', 2), isLongerThan('abc', 2), isLongerThan('🙂', 0)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect([firstCharacters('🙂🙂a', 2), firstCharacters('abc', 2), firstCharacters('ab', 2), firstCharacters('a🙂🙂', 2)]).toEqual([
    '🙂🙂',
    'ab',
    'ab',
    'a🙂',
  ]);
});

test.each<[unknown, boolean]>([
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['0000-01-01', false],
  ['0001-01-01', false],
  ['0999-12-31', false],
  ['1000-01-01', true],
  ['9999-12-31', true],
  ['-2026-01-01', false],
  ['+012345-01-01', false],
  ['2026-1-1', false],
  ['2026-01-01T00:00:00Z', false],
  [null, false],
])('isCalendarDay(%j) is %p', (value, expected) => expect(isCalendarDay(value)).toBe(expected));

test.each<[unknown, boolean]>([
  ['2026-01-01T00:00:00Z', true],
  ['2026-01-01t23:59:59.123456+02:00', true],
  ['2026-01-01T00:00:00', false],
  ['2026-01-01T09:30Z', false],
  ['2026-02-30T00:00:00Z', false],
  ['9999-12-31T23:59:59Z', true],
  ['9999-12-31T23:59:59-01:00', false],
  ['0001-01-01T00:00:00Z', false],
  ['1000-01-01T00:00:00+01:00', false],
  ['+012345-01-01T00:00:00Z', false],
  ['2016-12-31T23:59:60Z', false],
  [new Date(), false],
])('isInstant(%j) is %p', (value, expected) => expect(isInstant(value)).toBe(expected));

test('escapeHtml escapes what ends text or a quoted attribute', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;');
});

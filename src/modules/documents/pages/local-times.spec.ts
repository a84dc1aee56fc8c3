import { expect, test } from '@jest/globals';
import { timeOf } from './local-times.js';

test('a time on a page is in the zone of the project, which it names', () => {
  const time = timeOf(new Date('2026-11-28T00:30:00Z'), { language: 'en', timeZone: 'Pacific/Honolulu' });
  expect(time.markup.replace(/\s/g, ' ')).toBe(
    '<time datetime="2026-11-28T00:30:00.000Z" data-zone="Pacific/Honolulu">27 November 2026 at 14:30 GMT-10</time>',
  );
});

import { expect, test } from '@jest/globals';
import { EN } from './texts/en.js';
import { FR } from './texts/fr.js';
import { timeOf } from './local-times.js';
import { mailBody } from './mail-body.js';

test('a time on a page is in the zone of the project, which it names', () => {
  const time = timeOf(new Date('2026-11-28T00:30:00Z'), { language: 'en', timeZone: 'Pacific/Honolulu' });
  expect(time.markup.replace(/\s/g, ' ')).toBe(
    '<time datetime="2026-11-28T00:30:00.000Z" data-zone="Pacific/Honolulu">November 27, 2026 at 2:30 PM HST</time>',
  );
});

test('a mail has a space before its colons in French only', () => {
  const mail = (texts: typeof EN) =>
    mailBody({ organization: 'Acme', language: 'fr', brand: { color: null, logo: null }, baseUrl: '', texts }, 'Subject', [
      { facts: [['Document', 'Bail']] },
    ]).text;
  expect([mail(FR), mail(EN)]).toEqual(['Document\u00a0: Bail\n', 'Document: Bail\n']);
});

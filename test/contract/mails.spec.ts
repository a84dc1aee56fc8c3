import { describe, expect, test } from '@jest/globals';
import { framed, withLogo } from '../../src/platform/mail/mail-frame.js';
import { organizationOf } from './sample-mail.js';
import { sampleMails } from './sample-mails.js';
import { productFiles, textOf } from './source-files.js';

/** Gmail cuts mails off beyond. */
const MOST_BYTES = 100_000;
const SAMPLES = await sampleMails();
const SOURCES = productFiles().map((path) => ({ path, text: textOf(path) }));
/** What the functions of mails have in common. */
const SHARED = ['mail', 'confidential', 'toSender', 'toCopied', 'mailLayout'];

test('every function that writes a mail has a sample', () => {
  const writers = SOURCES.flatMap(({ text }) =>
    text
      .split(/^(?=(?:export )?(?:async )?function )/m)
      .flatMap(
        (part) => /^export function (\w+)\([^]*?\): (?:Mail|MailContent) \{$/m.exec(part.slice(0, part.indexOf('{\n') + 2))?.[1] ?? [],
      ),
  );
  const sampled = new Set(SAMPLES.map(({ name }) => name.split(' ')[0]));
  expect(writers.length).toBeGreaterThan(30);
  expect(writers.filter((name) => !SHARED.includes(name) && !sampled.has(name))).toEqual([]);
});

test('only those functions say what mails say', () => {
  // a docstring of the kit shows how
  const code = SOURCES.map(({ path, text }) => ({ path, text: text.replace(/\/\*\*[^]*?\*\//g, '') }));
  const senders = code.filter(({ text }) => /\bmails\??\.send\(/i.test(text));
  expect(senders.length).toBeGreaterThan(20);
  expect(senders.filter(({ text }) => /\bcontent: \{|\bparts: \[/.test(text)).map(({ path }) => path)).toEqual([]);
});

describe('a mail', () => {
  test.each(SAMPLES)('$name in $language', (sample) => {
    const { mail, language } = sample;
    const look = { organization: organizationOf(sample), color: '#ffd400', logo: 'logo-1' };
    const { text, html: stored } = framed(look, mail);
    const html = withLogo(stored, { width: 120, height: 44 });
    expect(html).toMatch(/<img [^>]* alt="[^"]+" width="120" height="44"/);
    // one whose sending is tried again later, without the logo
    expect(withLogo(html, null)).toBe(framed({ ...look, logo: null }, mail).html);
    const { content, subject, replyTo } = mail;
    const seen = html.slice(html.indexOf('<body'));
    // ids are for programs: people see numbers and titles
    expect(text.replace(/https?:\S+/g, '')).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
    // the button and the address below it
    const links = [...seen.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, url]) => url.replaceAll('&amp;', '&'));
    const letter = content.parts.some((part) => typeof part === 'object' && 'letter' in part);
    if (content.action) {
      expect(content.action.url).toMatch(/^https:\/\//);
      expect(links.filter((url) => url === content.action?.url)).toHaveLength(2);
      expect(text).toContain(`\n${content.action.url}\n`);
      expect(seen.match(/class="button"/g)).toHaveLength(1);
    }
    if (!letter) expect(new Set(links).size).toBe(content.action ? 1 : 0);
    expect(seen).not.toMatch(/<(?:script|form|iframe|object)\b|src="(?!cid:)/);
    expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES);
    expect(html.startsWith(`<!doctype html>\n<html lang="${language}"`)).toBe(true);
    const [, preview = ''] = /aria-hidden="true">([^<]*)&#847;/.exec(seen) ?? [];
    expect(preview.length).toBeGreaterThan(10);
    for (const code of content.parts.flatMap((part) => (typeof part === 'object' && 'code' in part ? part.code : [])))
      expect([preview, subject].filter((shown) => shown.includes(code))).toEqual([]);
    // who sent it, why, and where a complaint goes
    for (const said of [look.organization, content.reason.replace(/\.+$/, '.'), replyTo ?? look.organization]) {
      expect(text.slice(text.indexOf('\n-- \n'))).toContain(said);
      expect(wordsOf(seen)).toContain(wordsOf(escaped(said)));
    }
    // both parts say the same; labels and values stand apart in one of them
    for (const line of text.split('\n').filter((one) => !/^-- $|^- |:$/.test(one)))
      expect(wordsOf(seen)).toContain(wordsOf(escaped(line.replace(/^[^:]*: /, ''))));
  });
});

function wordsOf(markup: string): string {
  return markup
    .replace(/<\/?(?:p|h1|td|tr|li|ul|table|div|br|blockquote)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

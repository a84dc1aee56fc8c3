import { describe, expect, test } from '@jest/globals';
import * as samples from '../../testing/sample-mails.js';
import { splitQuoted } from './quoted-text.js';
import { readMail } from './read-mail.js';
import { growth, LINEAR } from '../../../../../test/harness/cpu-time.js';

const { encoded, file, mailOf, multipart, plain } = samples;
const OURS = '<m-1@desk.example>';

describe('mails of the common programs', () => {
  test.each([
    ['Outlook', samples.outlook(OURS, 'It still burns.')],
    ['Gmail', samples.gmail(OURS, 'It still burns.')],
    ['Apple Mail', samples.appleMail(OURS, 'It still burns.')],
  ])('%s: what is new stands apart from what it answers', async (_name, raw) => {
    const mail = await readMail(raw);
    expect(mail).toMatchObject({ from: { email: 'ada@customer.example', name: 'Ada Lovelace' }, references: [OURS], automatic: null });
    expect(mail.text).toBe('It still burns.');
    expect(mail.quoted).toContain('Have you tried water?');
    expect(mail.html).toContain('It still burns.');
    expect(mail.html).not.toMatch(/tried water|Mso|<img|class=/);
  });

  test('Apple Mail: a picture in the text is a file', async () => {
    const { files, html } = await readMail(samples.appleMail(OURS, 'See it'));
    expect(files.map(({ fileName, mediaType, bytes }) => [fileName, mediaType, bytes.toString()])).toEqual([
      ['flames.png', 'image/png', 'not really a picture'],
    ]);
    expect(html).toContain('[flames.png]');
  });

  test('HTML without a text is read as text, beside files, too', async () => {
    const html =
      'Content-Type: text/html; charset=utf-8\n\n<p>It <b>burns</b>.<img src="https://t.example/x.gif"></p><p>Help &amp; hurry</p>';
    for (const body of [html, multipart('alternative', html), multipart('mixed', html, file('a.txt', 'text/plain', 'x'))])
      expect(await readMail(mailOf({ body }))).toMatchObject({ text: 'It burns.\n\nHelp & hurry', html: expect.stringContaining('<b>') });
    const large = await readMail(mailOf({ body: `Content-Type: text/html\n\n${'<p>x</p>'.repeat(100_000)}` }));
    const deep = await readMail(mailOf({ body: `Content-Type: text/html\n\n${'<div>'.repeat(1_001)}It burns.` }));
    const beside = multipart('alternative', plain('It burns.'), `Content-Type: text/html\n\n${'<div>'.repeat(1_001)}It burns.`);
    expect(await readMail(mailOf({ body: beside }))).toMatchObject({
      text: 'It burns.',
      html: null,
      files: [{ fileName: 'message.html' }],
    });
    for (const mail of [large, deep]) expect(mail).toMatchObject({ text: '', html: null, files: [{ fileName: 'message.html' }] });
    const nested = await readMail(mailOf({ body: `Content-Type: text/html\n\n${'<p><b>x</b><div>'.repeat(900)}It burns.` }));
    expect(nested).toMatchObject({ html: expect.stringContaining('It burns.'), files: [] });
  });

  test('an answer between quoted lines stays whole, and so does a forwarded mail', async () => {
    expect(await readMail(samples.thunderbird(OURS))).toMatchObject({
      quoted: null,
      text: expect.stringContaining('> Is anybody hurt?\n\nNo.'),
    });
    expect((await readMail(samples.phone(OURS, 'Ja.'))).text).toBe('Ja.\n\nVon meinem iPhone gesendet');
    const forwarded = mailOf({
      answers: OURS,
      subject: 'Fwd: Printer',
      body: plain('See below.\n\n-----Original Message-----\nFrom: Bob\n\nFire!'),
    });
    expect((await readMail(forwarded)).text).toContain('Fire!');
  });

  test.each([
    'On Mon, 23 Nov 2026, Support wrote:\n> Water?',
    'Am 23.11.2026 um 09:12 schrieb Support <support@desk.example>:\n> Wasser?',
    'Le lun. 23 nov. 2026 à 09:12, Support <support@desk.example> a\nécrit :\n\n> De l’eau ?',
    'El lun, 23 nov 2026 a las 9:12, Support (<support@desk.example>) escribió:\n\n> ¿Agua?',
    'пн, 23 нояб. 2026 г. в 09:12, Support <support@desk.example> написал:\n\n> Вода?',
    '________________________________\nVon: Support\nGesendet: Montag, 23. November 2026 09:12\nAn: Ada\nBetreff: Drucker\n\nWasser?',
    '-----Ursprüngliche Nachricht-----\nVon: Support',
    'Gesendet: Montag, 23. November 2026 um 09:12 Uhr\nVon: Support\nAn: Ada\nBetreff: Drucker\n\nWasser?',
    'On Monday, November 23, 2026 at 09:12:00 AM GMT+1, Support <support@desk.example> wrote:\n\nWater?',
    'Am Montag, 23. November 2026 um 09:12 MEZ hat Support <support@desk.example> Folgendes geschrieben:\n\nWasser?',
  ])('quotes are known in other languages: %j', (quoted) => {
    expect(splitQuoted(`New text\n\n${quoted}`)).toEqual({ text: 'New text', quoted });
  });

  test('what Outlook quotes is left out of the HTML, and every element is closed where it was', async () => {
    const read = async (markup: string) =>
      (await readMail(mailOf({ answers: OURS, body: `Content-Type: text/html; charset=utf-8\n\n${markup}` }))).html;
    const headers = '<b>From:</b> Support<br><b>Sent:</b> Monday<br><b>To:</b> Ada<br>';
    for (const begin of [
      '<div id="appendonsend"></div><hr tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">',
      "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p>",
    ])
      expect(await read(`<div>New</div>${begin}${headers}</div><div>Have you tried water?</div>`)).not.toMatch(/From|water/);
    const markup = '<p>New</p><blockquote type="cite">Water?</blockquote><em>end</em>';
    const body = multipart('alternative', plain('New\n\n> Water?'), `Content-Type: text/html\n\n${markup}`);
    expect((await readMail(mailOf({ answers: OURS, body }))).html).toBe('<p>New</p><em>end</em>');
  });

  test.each([
    ['windows-1251', 'x+Tw4OLx8uLz6fLlISDN5SDw4OHu8uDl8iDi9e7kLg0K', 'Здравствуйте! Не работает вход.'],
    ['koi8-r', '896j1CDOxSDQ0snbo8wuDQo=', 'Счёт не пришёл.'],
    ['gb18030', 'xOO6w6OsztK1xLaptaXDu9PQtb279aGjlTKCNg0K', '你好，我的订单没有到货。𠀀'],
    ['iso-2022-jp', Buffer.from('\u001b$BCmJ8$,FO$-$^$;$s!#\u001b(B').toString('base64'), '注文が届きません。'],
    ['x-unknown', Buffer.from('plain').toString('base64'), 'plain'],
  ])('the charset %s', async (charset, base64, text) => {
    expect((await readMail(mailOf({ body: encoded(charset, base64) }))).text).toBe(text);
  });

  test('headers in other charsets, folded or raw', async () => {
    const subjects = [
      '=?windows-1251?B?zeUg8ODh7vLg5fIg4vXu5A==?=',
      '=?iso-2022-jp?B?GyRCQ21KOCRLJEQkJCRGGyhC?=',
      '=?koi8-r?Q?=F3=DE=A3=D4?=\r\n second',
    ];
    const read = await Promise.all(subjects.map(async (subject) => (await readMail(mailOf({ subject, body: plain('x') }))).subject));
    expect(read).toEqual(['Не работает вход', '注文について', 'Счёт second']);
    expect((await readMail(mailOf({ subject: 'Grüße', from: 'Ünal <u@customer.example>', body: plain('x') }))).subject).toBe('Grüße');
    const { from } = await readMail(mailOf({ from: 'Zoë Müller <zoe@bücher.example>', body: plain('x') }));
    expect(from).toEqual({ name: 'Zoë Müller', email: 'zoe@xn--bcher-kva.example' });
  });

  test('a forwarded mail, a calendar file and winmail.dat are files', async () => {
    const raw = mailOf({
      body: multipart(
        'mixed',
        plain('See the files.'),
        `Content-Type: message/rfc822\n\nFrom: bob@customer.example\nSubject: Inner\nAuto-Submitted: auto-replied\n\nInner text`,
        file('winmail.dat', 'application/ms-tnef', Buffer.from('789f3e22', 'hex')),
        file('invite.ics', 'text/calendar', 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR'),
      ),
    });
    const { files, text, automatic } = await readMail(raw);
    expect([text, automatic]).toEqual(['See the files.', null]);
    expect(files.map(({ fileName, mediaType }) => [fileName, mediaType])).toEqual([
      ['message-1.eml', 'message/rfc822'],
      ['winmail.dat', 'application/ms-tnef'],
      ['invite.ics', 'text/calendar'],
    ]);
  });
});

describe('mails that nobody wrote', () => {
  test.each([
    ['bounce', samples.exchangeBounce(OURS)],
    ['bounce', samples.postfixBounce(OURS)],
    ['out_of_office', samples.outOfOffice(OURS)],
    ['calendar_reply', samples.calendarReply()],
    ['list', samples.listMail()],
    ['auto_submitted', mailOf({ headers: { 'Auto-Submitted': 'auto-generated (rejected)' }, body: plain('x') })],
    ['out_of_office', mailOf({ subject: 'Abwesenheitsnotiz: Drucker', body: plain('x') })],
    ['empty_return_path', mailOf({ headers: { 'Return-Path': '<>' }, body: plain('x') })],
    ['bounce', mailOf({ from: 'MAILER-DAEMON@mx.example', body: plain('Returned mail: see transcript') })],
    ['receipt', mailOf({ subject: 'Read: Printer', body: multipart('report; report-type=disposition-notification', plain('Read.')) })],
    ['bounce', mailOf({ body: 'Content-Type: MULTIPART/REPORT; REPORT-TYPE="delivery-status"; boundary="r"\n\n--r\n\nfailed\n--r--\n' })],
    ['out_of_office', mailOf({ subject: 'Jane Doe/ACME is out of the office (returning 30.11.2026)', body: plain('x') })],
    [null, mailOf({ subject: 'The printer is out of the office now', body: plain('x') })],
    [null, mailOf({ headers: { 'Auto-Submitted': 'no' }, subject: 'Re: automatic reply does not work', body: plain('x') })],
    [null, mailOf({ headers: { 'X-Auto-Response-Suppress': 'All' }, body: plain('x') })],
  ])('are %s', async (automatic, raw) => expect((await readMail(raw)).automatic).toBe(automatic));

  test('a bounce says what it is about, and why', async () => {
    expect((await readMail(samples.exchangeBounce(OURS))).bounce).toEqual({
      messageIds: [OURS],
      ticketNumber: 'T-1',
      recipients: ['ada@customer.example'],
      isFinal: true,
      reason: '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@customer.example not found',
    });
    expect((await readMail(samples.postfixBounce(OURS, 'delayed'))).bounce).toEqual({
      messageIds: [OURS],
      ticketNumber: null,
      recipients: ['ada@customer.example'],
      isFinal: false,
      reason: '550 5.7.1 Mailbox disabled',
    });
  });
});

describe('mails of strangers', () => {
  test('HTML is harmless: nothing runs, nothing is loaded, nothing covers the page', async () => {
    const { html, subject, from, files } = await readMail(samples.hostile());
    expect(html).toContain('Hello <b>you</b>');
    expect(html).toContain('<a href="https://ok.example/" rel="noopener noreferrer nofollow">ok</a>');
    expect(html).not.toMatch(
      /steal|script|onerror|onclick|tracker|evil|position|url\(|expression|class=|id=|<(?:img|svg|form|base|meta|object|style)/i,
    );
    expect(subject).toBe('<script> Bcc: a@b.c');
    expect(from?.email).toBe('eve@evil.example');
    expect(files.map(({ fileName }) => fileName)).toEqual(['../../etc/passwd', 'picture.svg']);
  });

  test('without a Message-ID the same mail has the same id, and another mail another one', async () => {
    const [one, again, other] = await Promise.all(
      ['x', 'x', 'y'].map(async (text) => (await readMail(mailOf({ messageId: null, body: plain(text) }))).messageId),
    );
    expect(one).toMatch(/^<[0-9a-f]{64}@/);
    expect([again === one, other === one]).toEqual([true, false]);
  });

  test('with ids and names that no column takes, or that deceive, are read', async () => {
    const raw = mailOf({
      messageId: '<a\u0000b@x>',
      answers: '<c\u0000d@x>',
      body: multipart('mixed', plain('x'), file('=?utf-8?B?ZmlsZeKArmZkcC5leGU=?=', 'application/pdf', 'x')),
    });
    const { messageId, references, files } = await readMail(raw);
    expect(messageId).toMatch(/^<[0-9a-f]{64}@/);
    expect([references, files[0].fileName]).toEqual([[], 'filefdp.exe']);
    const bounced = samples.exchangeBounce('<e\u0000f@x>').toString().replace('550 5.1.10', '550\u0000 5.1.10');
    const { bounce } = await readMail(Buffer.from(bounced));
    expect(bounce).toMatchObject({ messageIds: ['<ef@x>'], reason: expect.stringMatching(/^550 5\.1\.10/) });
  });

  test('whose parts cannot be found are attached as they are', async () => {
    const raw = mailOf({ body: 'Content-Type: multipart/mixed; boundary="a"\n\n--b\nContent-Type: text/plain\n\nHello\n--b--\n' });
    expect(await readMail(raw)).toMatchObject({ text: '', files: [{ fileName: 'message.eml', mediaType: 'message/rfc822', bytes: raw }] });
  });

  test('files are bounded in number, texts in length, addresses to what can be answered', async () => {
    const many = Array.from({ length: 30 }, (_, index) => file(`f${index}.txt`, 'text/plain', 'x'));
    const mail = await readMail(
      mailOf({
        headers: { Cc: 'Friends: Bob <BOB@Customer.Example>, nobody;, broken@, undisclosed-recipients:;' },
        body: multipart('mixed', plain(`a\u0000b ${'x'.repeat(150_000)}`), ...many),
      }),
    );
    expect(mail.omittedFiles).toEqual(['f25.txt', 'f26.txt', 'f27.txt', 'f28.txt', 'f29.txt']);
    expect([mail.files.length, [...mail.text].length, mail.text.startsWith('ab x')]).toEqual([26, 100_000, true]);
    expect([mail.files[0].fileName, mail.files[0].bytes.toString()]).toEqual(['message.txt', `ab ${'x'.repeat(150_000)}`]);
    expect(mail.cc).toEqual([{ email: 'bob@customer.example', name: 'Bob' }]);
  });

  test.each([
    ['no end of a part', mailOf({ body: multipart('mixed', plain('Hello')).replace(/--[^\n]*--\n$/, '') })],
    ['a broken encoding', mailOf({ body: 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nSGVsbG8' })],
    ['bare line feeds and no MIME', Buffer.from('From: ada@customer.example\nSubject: x\n\nHello\n')],
    ['a header that is none', Buffer.from('From: ada@customer.example\r\nnonsense\r\nSubject: x\r\n\r\nHello')],
  ])('with %s is still read', async (_name, raw) => {
    expect(await readMail(raw)).toMatchObject({ text: 'Hello', from: { email: 'ada@customer.example' } });
  });

  test('with too many parts or too large headers is attached as it is', async () => {
    const parts = mailOf({ body: multipart('mixed', ...Array.from({ length: 300 }, () => plain('x'))) });
    const head = mailOf({ headers: { 'X-Padding': `${'x'.repeat(900)}\n `.repeat(300) }, messageId: null, body: plain('x') });
    for (const raw of [parts, head])
      expect(await readMail(raw)).toMatchObject({
        subject: 'Printer on fire',
        from: { email: 'ada@customer.example' },
        text: expect.stringContaining('could not be read'),
        files: [{ fileName: 'message.eml', bytes: raw }],
      });
  });

  test('without sender, subject or text is read, too', async () => {
    expect(await readMail(Buffer.from('\r\n'))).toMatchObject({ from: null, subject: '(no subject)', text: '', files: [] });
  });

  test.each<[string, (size: number) => Buffer, number]>([
    ['nested elements', (size) => mailOf({ body: `Content-Type: text/html\n\n${'<div>'.repeat(size)}x` }), 40_000],
    [
      'nested quotations',
      (size) => mailOf({ answers: OURS, body: `Content-Type: text/html\n\nx${'<blockquote type=cite>'.repeat(size)}` }),
      5_000,
    ],
    ['introductions on one line', (size) => mailOf({ answers: OURS, body: plain('On 2026 '.repeat(size)) }), 16_000],
    ['introductions', (size) => mailOf({ answers: OURS, body: plain('On 1\n'.repeat(size)) }), 8_000],
    ['headers of an answered mail', (size) => mailOf({ answers: OURS, body: plain('From: a\n'.repeat(size)) }), 6_000],
    ['references', (size) => mailOf({ headers: { References: '<'.repeat(size) }, body: plain('x') }), 50_000],
    ['unclosed tags', (size) => mailOf({ body: `Content-Type: text/html\n\n${'<'.repeat(size)}` }), 10_000],
    ['uuencoded files', (size) => mailOf({ body: plain('begin 644 a\n#86)C\n'.repeat(size)) }), 8_000],
    ['encoded words', (size) => mailOf({ subject: '=?a?q?\u00fc'.repeat(size), body: plain('x') }), 5_000],
    ['addresses', (size) => mailOf({ headers: { Cc: 'a@b.example,'.repeat(size) }, body: plain('x') }), 2_000],
  ])('of many %s takes time in proportion to its size', async (_name, mail, size) => {
    expect(await growth(mail, size, readMail)).toBeLessThan(LINEAR);
  });
});

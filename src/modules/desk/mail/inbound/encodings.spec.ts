import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { file, mailOf, multipart, plain } from '../../testing/sample-mails.js';
import { readMail } from './read-mail.js';

/** A mail with bytes as they are: `text` is the whole mail, in this charset. */
const inCharset = (charset: string, text: string): Buffer => iconv.encode(text.replace(/\n/g, '\r\n'), charset);
const raw = (subject: string, body: string, type = '') =>
  `From: ada@customer.example\nTo: support@desk.example\nSubject: ${subject}\nMessage-ID: <c-1@customer.example>\n${type}\n${body}\n`;

describe('texts without a charset', () => {
  test.each([
    ['windows-1252', 'Drucker für Büro', 'Grüße aus München – der Drucker brennt, bitte kommen Sie schnell. Preis: 20 €'],
    ['windows-1251', 'Заказ не пришел', 'Здравствуйте! Не работает вход, помогите пожалуйста.'],
    ['koi8-r', 'Вопрос по заказу', 'Счёт не пришёл, пришлите его ещё раз, пожалуйста.'],
    ['gbk', '订单问题', '您好，请问我的订单什么时候发货？谢谢。'],
    ['shift_jis', '注文について', '注文が届きません。確認してください。'],
    ['euc-kr', '주문 문의', '안녕하세요. 주문이 도착하지 않았습니다.'],
    ['utf8', 'Zażółć', 'gęślą jaźń'],
  ])('in %s are read, subject and body', async (charset, subject, body) => {
    expect(await readMail(inCharset(charset, raw(subject, body)))).toMatchObject({ subject, text: body });
  });

  test('are read as windows-1252 if nothing tells', async () => {
    expect((await readMail(inCharset('windows-1252', raw('x', 'Öl')))).text).toBe('Öl');
  });

  test('in ISO-2022-JP, which is ASCII with escapes', async () => {
    const body = Buffer.from('\u001b$BCmJ8$,FO$-$^$;$s!#\u001b(B').toString('latin1');
    expect((await readMail(Buffer.from(raw('x', body), 'latin1'))).text).toBe('注文が届きません。');
  });

  test('follow another part that states one: raw headers, and file names', async () => {
    const type = 'Content-Type: multipart/mixed; boundary="b"\n';
    const body = `--b\nContent-Type: text/plain; charset=windows-1251\n\nСчёт\n--b
Content-Type: application/pdf\nContent-Disposition: attachment; filename="счёт.pdf"\n\nx\n--b--`;
    const mail = await readMail(inCharset('windows-1251', raw('Счёт', body, type)));
    expect([mail.subject, mail.text, mail.files[0].fileName]).toEqual(['Счёт', 'Счёт', 'счёт.pdf']);
  });

  test('that wrongly state UTF-8 are read by what they are', async () => {
    const type = 'Content-Type: text/plain; charset=utf-8\n';
    expect((await readMail(inCharset('windows-1252', raw('x', 'Größe und Länge der Straße', type)))).text).toBe(
      'Größe und Länge der Straße',
    );
  });
});

test('HTML that states its charset itself', async () => {
  const html = '<html><head><meta http-equiv="Content-Type" content="text/html; charset=koi8-r"></head><body><p>Счёт</p></body></html>';
  const mail = await readMail(inCharset('koi8-r', raw('x', html, 'Content-Type: text/html\n')));
  expect([mail.text, mail.html]).toEqual(['Счёт', '<p>Счёт</p>']);
});

describe('UTF-8', () => {
  const text = 'Grüße aus Köln – „ok“ 12 €';
  const stated = (type: string) => `Content-Type: ${type}; charset=utf-8\n`;

  test.each([
    ['quoted in the body', `<p>${text}</p><blockquote><meta charset="iso-8859-1"><p>old</p></blockquote>`],
    ['in the head', `<html><head><meta charset="koi8-r"></head><body><p>${text}</p></body></html>`],
    ['in a comment', `<!-- <meta charset=koi8-r> --><p>${text}</p>`],
    ['in an attribute', `<p>${text}</p><a title="<meta charset=koi8-r>">x</a>`],
  ])('is read whatever HTML states %s', async (_, html) => {
    for (const type of [stated('text/html'), 'Content-Type: text/html\n', 'Content-Type: text/html; charset=iso-8859-1\n']) {
      const mail = await readMail(Buffer.from(raw('x', html, type)));
      expect([mail.text, mail.html]).toEqual([expect.stringContaining(text), expect.stringContaining(`<p>${text}</p>`)]);
    }
  });

  test.each([
    ['a stray byte', [0xff], '\ufffd'],
    ['a cut character', [0xe2, 0x80], '\ufffd'],
    ['a footer in windows-1252', [...iconv.encode('-- \nGrüße', 'windows-1252')], '-- \nGrüße'],
  ])('with %s loses nothing else', async (_, bytes, end) => {
    for (const beginning of [text, 'It’s ok', 'Dzień dobry, żółć', 'Принтер не работает'])
      for (const type of [stated('text/plain'), stated('text/html')]) {
        const body = Buffer.concat([Buffer.from(raw('x', beginning, type)), Buffer.from(bytes)]);
        const mail = await readMail(body);
        expect(mail.text.replace(/\s+/g, ' ')).toBe(`${beginning} ${end.replace(/\s+/g, ' ')}`);
      }
  });

  test('in Base64, with the footer of a list in plain text', async () => {
    const type = `${stated('text/plain')}Content-Transfer-Encoding: base64\n`;
    const body = `${Buffer.from(text).toString('base64')}\n_______\nThe list: https://list.example\n`;
    expect((await readMail(Buffer.from(raw('x', body, type)))).text).toBe(`${text}\n_______\nThe list: https://list.example`);
  });

  test('that states a default of mail programs, in words of headers too', async () => {
    const word = `=?iso-8859-1?B?${Buffer.from('Grüße').toString('base64')}?=`;
    expect((await readMail(Buffer.from(raw(word, 'x')))).subject).toBe('Grüße');
  });
});

describe('words of headers', () => {
  test.each([
    ['=?utf-8?Q?Gr=FC=DFe?=', 'Grüße'],
    ['=?shift_jis?Q?=90=BF?=\n =?shift_jis?Q?=8B?= =?shift_jis?Q?=81?=', '請求'],
    ['=?utf-8?B?R3LD?=\n =?utf-8?B?vMOfZQ==?= =?koi8-r?Q?_=F1?=', 'Grüße Я'],
    ['=?gb2312?B?lTKCNg==?=', '𠀀'],
    ['=?csISO2022JP?B?GyRCQEE1YRsoQg==?=', '請求'],
    ['\u001b$B@A5a\u001b(B', '請求'],
  ])('%s are read', async (subject, text) => {
    expect((await readMail(Buffer.from(raw(subject, 'x')))).subject).toBe(text);
  });
});

test('UTF-7, in body and headers, is read and then sanitized', async () => {
  const mail = await readMail(Buffer.from(raw('=?utf-7?Q?Gr+APwA3w-e?=', 'Gr+APwA3w-e', 'Content-Type: text/plain; charset=UTF-7\n')));
  expect([mail.subject, mail.text]).toEqual(['Grüße', 'Grüße']);
  expect((await readMail(Buffer.from(raw('x', '1 + 1 +- 1 +APw-', 'Content-Type: text/plain; charset=utf-7\n')))).text).toBe('1 + 1 + 1 ü');
  const html = 'Hello +ADw-script+AD4-steal()+ADw-/script+AD4-';
  expect((await readMail(Buffer.from(raw('x', html, 'Content-Type: text/html; charset=utf-7\n')))).html).toBe('Hello');
});

test('bytes beyond ASCII inside encoded words', async () => {
  const utf8 = await readMail(Buffer.from(raw('=?utf-8?Q?Grüße_an_alle?=', 'x')));
  const latin = await readMail(inCharset('latin1', raw('=?iso-8859-1?Q?Grüße_an=20alle?=', 'x')));
  expect([utf8.subject, latin.subject]).toEqual(['Grüße an alle', 'Grüße an alle']);
});

describe('uuencoded files', () => {
  const uu = `begin 644 hello.txt\n-2&5L;&\\L('=O<FQD(0  \n\`\nend`;
  const bytes = Buffer.from('Hello, world!');

  test('in a text are taken out of it', async () => {
    const { text, files } = await readMail(Buffer.from(raw('x', `See the file.\n\n${uu}\n\nAda`)));
    expect(text).toBe('See the file.\n\n\nAda');
    expect(files).toEqual([{ fileName: 'hello.txt', mediaType: 'application/octet-stream', bytes }]);
  });

  test('as parts are decoded', async () => {
    const part = `Content-Type: application/octet-stream; name="hello.txt"\nContent-Transfer-Encoding: x-uuencode\n\n${uu}\n`;
    expect((await readMail(mailOf({ body: multipart('mixed', plain('x'), part) }))).files).toMatchObject([
      { fileName: 'hello.txt', bytes },
    ]);
  });

  test('that are none stay text', async () => {
    const text = 'begin 644 the meeting at noon\nWe talk about it.\nend';
    expect(await readMail(Buffer.from(raw('x', text)))).toMatchObject({ text, files: [] });
  });
});

describe('files that are marked as text', () => {
  test.each([
    ['log.txt', 'text/plain'],
    ['page.html', 'text/html'],
    ['list.csv', 'text/csv'],
    ['invite.ics', 'text/calendar'],
  ])('%s is a file, inline or without a disposition', async (name, type) => {
    const content = '<b>content</b>';
    const inline = file(name, type, content, 'inline');
    const unsaid = inline.replace(/^Content-Disposition:.*\n/m, '');
    for (const part of [inline, unsaid]) {
      const mail = await readMail(mailOf({ body: multipart('mixed', plain('See the file.'), part) }));
      expect(mail).toMatchObject({ text: 'See the file.', html: null, files: [{ fileName: name, mediaType: type }] });
      expect(mail.files[0].bytes.toString()).toBe(content);
    }
  });

  test('a text file keeps its bytes, whatever its charset', async () => {
    const bytes = iconv.encode('Größe;1', 'windows-1252');
    const { files } = await readMail(mailOf({ body: multipart('mixed', plain('x'), file('größe.txt', 'text/plain', bytes, 'inline')) }));
    expect(files).toMatchObject([{ fileName: 'größe.txt', bytes }]);
  });
});

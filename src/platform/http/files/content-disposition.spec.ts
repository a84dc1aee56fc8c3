import { describe, expect, test } from '@jest/globals';
import { contentDisposition } from './content-disposition.js';

describe('Content-Disposition', () => {
  test.each([
    ['report.csv', 'attachment; filename="report.csv"'],
    ['Übergabe – Müller.pdf', `attachment; filename="Ubergabe _ Muller.pdf"; filename*=UTF-8''%C3%9Cbergabe%20%E2%80%93%20M%C3%BCller.pdf`],
    ["it's (1).pdf", `attachment; filename="it's (1).pdf"`],
    ["é's (1).pdf", `attachment; filename="e's (1).pdf"; filename*=UTF-8''%C3%A9%27s%20%281%29.pdf`],
    ['../../etc/passwd', 'attachment; filename="_.._etc_passwd"'],
    ['a"; filename="b.exe', 'attachment; filename="a_; filename=_b.exe"'],
    ['a\r\nSet-Cookie: x=1', 'attachment; filename="a__Set-Cookie_ x=1"'],
    ['invoice\u202efdp.exe', 'attachment; filename="invoice_fdp.exe"'],
    ['full\uff02width\uff3c.pdf', `attachment; filename="full_width_.pdf"; filename*=UTF-8''full%EF%BC%82width%EF%BC%BC.pdf`],
    ['half\ud800.pdf', `attachment; filename="half_.pdf"; filename*=UTF-8''half%EF%BF%BD.pdf`],
    ['...', 'attachment; filename="file"'],
    ['', 'attachment; filename="file"'],
  ])('of %j', (name, header) => expect(contentDisposition(true, name)).toBe(header));

  test('truncates a long name but keeps its extension', () => {
    expect(contentDisposition(true, `${'x'.repeat(400)}.tar.gz`)).toBe(`attachment; filename="${'x'.repeat(147)}.gz"`);
    expect(contentDisposition(true, 'x'.repeat(400))).toBe(`attachment; filename="${'x'.repeat(150)}"`);
  });

  test('is inline unless it is to be saved, and absent when there is nothing to say', () => {
    expect([contentDisposition(false, 'a.pdf'), contentDisposition(true, undefined), contentDisposition(false, undefined)]).toEqual([
      'inline; filename="a.pdf"',
      'attachment',
      null,
    ]);
  });
});

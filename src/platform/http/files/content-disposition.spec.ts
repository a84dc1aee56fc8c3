import { describe, expect, test } from '@jest/globals';
import { contentDisposition, fileNameIn } from './content-disposition.js';

describe('Content-Disposition', () => {
  test.each([
    ['report.csv', 'attachment; filename=report.csv'],
    ['Übergabe – Müller.pdf', `attachment; filename="Ubergabe _ Muller.pdf"; filename*=UTF-8''%C3%9Cbergabe%20%E2%80%93%20M%C3%BCller.pdf`],
    ["it's (1).pdf", `attachment; filename="it's (1).pdf"`],
    ["é's (1).pdf", `attachment; filename="e's (1).pdf"; filename*=UTF-8''%C3%A9%27s%20%281%29.pdf`],
    ['../../etc/passwd', 'attachment; filename=_.._etc_passwd'],
    ['..\\..\\boot.ini', 'attachment; filename=_.._boot.ini'],
    ['a"; filename="b.exe', 'attachment; filename="a_; filename=_b.exe"'],
    ['a\r\nSet-Cookie: x=1', 'attachment; filename="a__Set-Cookie_ x=1"'],
    ['invoice\u202efdp.exe', 'attachment; filename=invoice_fdp.exe'],
    ['Lease 🏠.pdf', `attachment; filename="Lease _.pdf"; filename*=UTF-8''Lease%20%F0%9F%8F%A0.pdf`],
    ['full\uff02width\uff3c.pdf', `attachment; filename=full_width_.pdf; filename*=UTF-8''full%EF%BC%82width%EF%BC%BC.pdf`],
    ['half\ud800.pdf', `attachment; filename=half_.pdf; filename*=UTF-8''half%EF%BF%BD.pdf`],
    ['50%2Foff.pdf', 'attachment; filename=50_2Foff.pdf'],
    ['CON.pdf', 'attachment; filename=_CON.pdf'],
    ['lpt1', 'attachment; filename=_lpt1'],
    ['Contract.pdf', 'attachment; filename=Contract.pdf'],
    ['Lease. . .', 'attachment; filename=Lease'],
    ['...', 'attachment; filename=file'],
    ['', 'attachment; filename=file'],
  ])('of %j', (name, header) => {
    expect(contentDisposition(true, name)).toBe(header);
    if (name !== '') expect(contentDisposition(true, fileNameIn(header))).toBe(header);
  });

  test('shortens a long name to what file systems take, but keeps its extension', () => {
    expect(contentDisposition(true, `${'x'.repeat(400)}.tar.gz`)).toBe(`attachment; filename=${'x'.repeat(197)}.gz`);
    expect(contentDisposition(true, 'x'.repeat(400))).toBe(`attachment; filename=${'x'.repeat(200)}`);
    const houses = fileNameIn(contentDisposition(true, `a${'🏠'.repeat(300)}.pdf`) as string);
    expect(houses).toBe(`a${'🏠'.repeat(48)}.pdf`);
  });

  test('is inline unless it is to be saved, and absent when there is nothing to say', () => {
    expect([contentDisposition(false, 'a.pdf'), contentDisposition(true, undefined), contentDisposition(false, undefined)]).toEqual([
      'inline; filename=a.pdf',
      'attachment',
      null,
    ]);
  });
});

test.each([
  [`attachment; filename*=UTF-8''Schl%C3%BCssel.pdf; filename=Key.pdf`, 'Schlüssel.pdf'],
  [`attachment; filename*=UTF-8''%zz; filename="Key \\"1\\".pdf"`, 'Key "1".pdf'],
  // as curl sends it: Node decodes the bytes as Latin-1
  [Buffer.from('attachment; filename="Schlüssel.pdf"').toString('latin1'), 'Schlüssel.pdf'],
  [Buffer.from('attachment; filename="Schl\xfcssel.pdf"', 'latin1').toString('latin1'), 'Schlüssel.pdf'],
  ['attachment', ''],
  ['attachment; filename="unfinished', ''],
  [undefined, ''],
])('the name of an upload with %j', (header, name) => expect(fileNameIn(header)).toBe(name));

import { expect, test } from '@jest/globals';
import { Upload } from './upload.js';

async function sent(fileName: string, csv: string): Promise<Upload> {
  const form = new FormData();
  form.set('file', new Blob([csv], { type: 'text/csv' }), fileName);
  form.set('dry_run', 'true');
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return new Upload(request.headers.get('content-type')!, Buffer.from(await request.arrayBuffer()));
}

test('a form is compared by its parts: another boundary is the same request, another name or content is not', async () => {
  const of = async (fileName: string, csv: string) => JSON.stringify(await sent(fileName, csv));
  const [first, second] = [await sent('a.csv', 'email\n'), await sent('a.csv', 'email\n')];
  expect(first.contentType).not.toBe(second.contentType);
  expect(JSON.stringify(first)).toBe(JSON.stringify(second));
  expect(await of('b.csv', 'email\n')).not.toBe(JSON.stringify(first));
  expect(await of('a.csv', 'mail\n')).not.toBe(JSON.stringify(first));
});

test('the same bytes in another charset are another request', () => {
  const of = (contentType: string) => JSON.stringify(new Upload(contentType, Buffer.from([0x6e, 0xe9])));
  expect(of('text/csv; charset=UTF-8')).toBe(of('text/csv'));
  expect(of('text/csv;charset="Windows-1250"')).toBe(of('text/csv; charset=windows-1250'));
  expect(of('text/csv; charset=windows-1250')).not.toBe(of('text/csv'));
  expect(of('text/csv; charset=windows-1250')).not.toBe(of('text/csv; charset=windows-1252'));
});

test('a form that cannot be read is compared by its bytes', () => {
  const of = (text: string) => JSON.stringify(new Upload('multipart/form-data; boundary=x', Buffer.from(text)));
  expect(of('no form')).toBe(of('no form'));
  expect(of('no form')).not.toBe(of('another'));
});

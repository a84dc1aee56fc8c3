import { describe, expect, test } from '@jest/globals';
import { readPageUpload } from './page-upload.js';
import { growth, LINEAR } from '../../../../test/harness/cpu-time.js';

const TYPE = 'multipart/form-data; boundary=b';
const part = (head: string, content: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const read = (text: string, type = TYPE) => readPageUpload(Buffer.from(text), type, 'file');

test('the file and the other fields are separated, with names as browsers escape them', () => {
  const file = `name="file"; filename="a.pdf"\r\nContent-Type: application/pdf`;
  const { body, upload } = read(
    `${part('name="answers.a%22b"', 'ä\r\n--c')}${part(file, '%PDF\r\n')}${part('filename="x"; name="token"', 't')}--b--`,
  );
  expect(body).toEqual({ answers: { 'a"b': 'ä\r\n--c' }, token: 't' });
  expect([upload.contentType, upload.bytes.toString(), upload.isTooLarge]).toEqual(['application/pdf', '%PDF\r\n', false]);
});

test('a body that FormData makes is read', async () => {
  const form = new FormData();
  form.append('answers.name', 'Söhne "& Co"');
  form.append('file', new Blob(['bytes']), 'x "y".pdf');
  const response = new Response(form);
  const type = response.headers.get('content-type') as string;
  const { body, upload } = readPageUpload(Buffer.from(await response.arrayBuffer()), type, 'file');
  expect([body, upload.bytes.toString()]).toEqual([{ answers: { name: 'Söhne "& Co"' } }, 'bytes']);
});

test('a form without multipart/form-data has no file, and a discarded one is too large', () => {
  expect(read('a=1', 'application/x-www-form-urlencoded')).toMatchObject({ body: { a: '1' }, upload: { isTooLarge: false } });
  expect(readPageUpload(null, TYPE, 'file')).toMatchObject({ body: {}, upload: { isTooLarge: true } });
});

test('a second file is rejected', () => {
  expect(() => read(`${part('name="file"', '1')}${part('name="file"', '2')}--b--`)).toThrow('file must be one file.');
});

describe('a hostile body takes time in proportion to its size', () => {
  test.each<[string, (size: number) => string, string]>([
    ['parts', (size) => part('name="a"', '').repeat(size / 45), TYPE],
    ['header fields', (size) => `--b\r\nContent-Disposition: form-data; name="a"\r\n${'X-A: b\r\n'.repeat(size / 8)}`, TYPE],
    ['almost-delimiters', (size) => part('name="a"', `\r\n--${'a'.repeat(69)}`.repeat(size / 73)), `${TYPE.slice(0, -1)}${'a'.repeat(70)}`],
    ['repetitions', (size) => `--${'-'.repeat(70)}\r\n\r\n\r\n${'-'.repeat(size)}`, `${TYPE.slice(0, -1)}${'-'.repeat(70)}`],
  ])('of %s', async (_, text, type) => {
    const bodyOf = (size: number) => Buffer.from(text(size));
    const read = (body: Buffer) => expect(() => readPageUpload(body, type, 'file')).toThrow('not a well-formed');
    expect(await growth(bodyOf, 512 * 1024, read)).toBeLessThan(LINEAR);
  });
});

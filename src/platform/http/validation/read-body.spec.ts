import { expect, test } from '@jest/globals';
import { readJsonBody, readPageBody, requireNoEncoding } from './read-body.js';

const FORM = 'application/x-www-form-urlencoded; charset=UTF-8';
const read = (text: string) => readPageBody(Buffer.from(text), FORM);

test.each<[string, unknown]>([
  ['a=1&b=two+words&a=2', { a: '2', b: 'two words' }],
  ['answers.email=a%40b.c&answers.items.0.name=Ada&token=t', { answers: { email: 'a@b.c', 'items.0.name': 'Ada' }, token: 't' }],
  ['answers=text&answers.email=x', { answers: { email: 'x' } }],
  ['answers.email=x&answers=text', { answers: 'text' }],
  ['.a=1&b.=2', { '.a': '1', b: { '': '2' } }],
])('the form "%s" is read', (text, body) => expect(read(text)).toEqual(body));

test('a name that every object knows is a member like any other', () => {
  const body = read('__proto__.admin=yes&constructor.x=1&answers.__proto__=y') as Record<string, object>;
  expect(Object.keys(body)).toEqual(['__proto__', 'constructor', 'answers']);
  expect(({} as { admin?: string }).admin).toBeUndefined();
  expect(Object.keys(body.answers)).toEqual(['__proto__']);
});

test('JSON may begin with a byte order mark', () => {
  expect(readJsonBody(Buffer.from('\ufeff{"a":1}'), 'application/json')).toEqual({ a: 1 });
});

test.each(['iso-8859-1', 'utf-16', '"windows-1252"'])('the charset %s is not supported', (charset) => {
  expect(() => readJsonBody(Buffer.from('{}'), `application/json; charset=${charset}`)).toThrow('Send the body as UTF-8.');
});

test('UTF-8 by any of its names is supported, but no compression', () => {
  for (const name of ['utf-8', 'UTF8', '"Utf-8"']) expect(readJsonBody(Buffer.from('{}'), `application/json; charset=${name}`)).toEqual({});
  for (const encoding of [undefined, 'identity', ' Identity ']) expect(() => requireNoEncoding(encoding)).not.toThrow();
  expect(() => requireNoEncoding('gzip')).toThrow('Content-Encoding');
});

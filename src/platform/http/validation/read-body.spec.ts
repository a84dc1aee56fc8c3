import { expect, test } from '@jest/globals';
import { readPageBody } from './read-body.js';

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

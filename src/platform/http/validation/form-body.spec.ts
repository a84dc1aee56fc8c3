import { expect, test } from '@jest/globals';
import { Field } from '../../../kit/index.js';
import { readFormBody } from './form-body.js';

class PersonDto {
  @Field.string({
    description: 'Name.',
    example: 'Ada',
  })
  name: string;
}

class LetterDto {
  @Field.object(() => PersonDto, {
    description: 'Who wrote it.',
    example: undefined,
  })
  from: PersonDto;

  @Field.integer({
    description: 'Copies.',
    example: 1,
    list: { maxItems: 3 },
  })
  copies: number[];
}

const LIMITS = { field: 'files', most: 2, bytes: 1_000 };
const read = (name: string, text: string) => readParts([name, text]);
const readParts = (...parts: [name: string, text: string][]) => {
  const body = `${parts.map(([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`).join('')}--b--`;
  return readFormBody(Buffer.from(body), 'multipart/form-data; boundary=b', LetterDto, LIMITS as never).body;
};

test('objects and lists may be sent as JSON; a text that is none stays for the validation', () => {
  expect(read('from', '{"name":"Ada"}')).toEqual({ from: { name: 'Ada' } });
  expect(read('from', '{"name":')).toEqual({ from: '{"name":' });
  expect(read('copies', '[1,2]')).toEqual({ copies: [1, 2] });
});

test('a field that is no list is sent once', () => {
  expect(readParts(['copies', '1'], ['copies', '[2,3]'])).toEqual({ copies: [1, 2, 3] });
  expect(readParts(['from.name', 'Ada'], ['copies', '1'])).toEqual({ from: { name: 'Ada' }, copies: [1] });
  const twice: [string, string][][] = [
    [
      ['from', '{}'],
      ['from', '{}'],
    ],
    [
      ['from', '{}'],
      ['from.name', 'Ada'],
    ],
    [
      ['from.name', 'Ada'],
      ['from', '{}'],
    ],
    [
      ['from.name', 'Ada'],
      ['from.name', 'Bob'],
    ],
    [
      ['other', 'x'],
      ['other', 'y'],
    ],
  ];
  for (const parts of twice) expect(() => readParts(...parts)).toThrow('must be sent once');
});

test.each([
  ['many values', `[${'{},'.repeat(25_000)}{}]`, 'too many members'],
  ['deep nesting', '['.repeat(3_000_000), 'too many members'],
  ['half a character', '{"name":"\\ud800"}', 'unpaired surrogate'],
])('JSON in a field is bounded as a JSON body is: %s', (_name, text, message) => {
  expect(() => read('from', text)).toThrow(message);
});

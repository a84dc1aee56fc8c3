import { expect, test } from '@jest/globals';
import { Field, readFields } from '../../../kit/index.js';
import { validateQuery } from './validate-query.js';

class SpanDto {
  @Field.dateTime({
    description: 'A time.',
    example: '2026-12-07T09:00:00Z',
    required: false,
  })
  at?: string;

  @Field.date({
    description: 'A day.',
    example: '2026-12-07',
    required: false,
  })
  on?: string;
}

test.each([
  ['at', '2026-12-07', '2026-12-07T00:00:00Z'],
  ['at', '2026-12-07T09:00:00+01:00', '2026-12-07T09:00:00+01:00'],
  ['on', '2026-12-07', '2026-12-07'],
  ['on', '2026-12-07T23:30:00-05:00', '2026-12-07'],
] as const)('the parameter %s can be %s', (name, sent, compared) => {
  expect(validateQuery(SpanDto, { [name]: sent })?.[name]).toBe(compared);
});

test.each([
  ['at', '2026-02-30'],
  ['at', '2026-12-07T09:00'],
  ['on', '2026-02-30T09:00:00Z'],
  ['on', '2026-12-07T25:00:00Z'],
])('the parameter %s cannot be %s', (name, sent) => {
  expect(() => validateQuery(SpanDto, { [name]: sent })).toThrow(`${name} must be`);
});

test('a body has days and times in their own form only', () => {
  expect(readFields(SpanDto, { at: '2026-12-07', on: '2026-12-07T09:00:00Z' }).faults.map(({ param }) => param)).toEqual(['at', 'on']);
});

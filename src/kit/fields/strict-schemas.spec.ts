import { describe, expect, it } from '@jest/globals';
import { strictSchemas } from './strict-schemas.js';

describe('strictSchemas', () => {
  it('checks each pattern of a schema', () => {
    const properties = { order: { type: 'string', pattern: '^PO' }, room: { type: 'string', pattern: '^R\\d$' } };
    const validate = strictSchemas().compile({ type: 'object', properties });
    expect(validate({ order: 'PO-7', room: 'R1' })).toBe(true);
    expect(validate({ order: 'R1', room: 'PO-7' })).toBe(false);
    expect(validate.errors?.map(({ instancePath, keyword }) => [instancePath, keyword])).toEqual([
      ['/order', 'pattern'],
      ['/room', 'pattern'],
    ]);
  });

  it.each([
    ['date', '2026-11-21', true],
    ['date', '0001-01-01', false],
    ['date', '+012345-01-01', false],
    ['date-time', '2026-11-21T09:30:00Z', true],
    ['date-time', '2026-11-21 09:30:00+0200', true],
    ['date-time', '0001-01-01T00:00:00Z', false],
    ['date-time', '9999-12-31T23:59:59-14:00', false],
    ['date-time', '9999-12-31T23:59:59Z', true],
    ['date-time', '1000-01-01T00:00:00+14:00', false],
    // PostgreSQL and Date have no leap seconds, and Date no offset without minutes
    ['date-time', '2016-12-31T23:59:60Z', false],
    ['date-time', '2026-11-21T09:30:00+02', false],
    ['date-time', '-2026-11-21T09:30:00Z', false],
  ])('has the format %s: %s is %p', (format, value, expected) => {
    expect(strictSchemas().compile({ type: 'string', format })(value)).toBe(expected);
  });

  it.each([
    [0.01, 0.29, true],
    [0.01, 4.35, true],
    [0.1, 0.3, true],
    [0.01, 99_999_999_999.99, true],
    [0.01, 0.295, false],
    [0.01, 4.350001, false],
    [5, 1e21, true],
    [1e-7, 3e-7, true],
    [2.5, 6, false],
  ])('a multiple of %p: %p is %p', (multipleOf, value, expected) => {
    const validate = strictSchemas().compile({ type: 'number', multipleOf });
    expect(validate(value)).toBe(expected);
    if (!expected) expect(validate.errors).toMatchObject([{ keyword: 'multipleOf', params: { multipleOf } }]);
  });
});

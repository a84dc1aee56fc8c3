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
});

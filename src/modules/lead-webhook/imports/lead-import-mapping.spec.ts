import { describe, expect, it } from '@jest/globals';
import { mappingOf } from './lead-import-mapping.js';

describe('a mapping', () => {
  it('is derived from the headings or given', () => {
    expect(mappingOf(['Full Name', 'E-mail', 'custom_fields.budget', 'Other'], undefined, ['budget'])).toEqual({
      mapping: { 'Full Name': 'full_name', 'custom_fields.budget': 'custom_fields.budget' },
      ignored_columns: ['E-mail', 'Other'],
    });
    expect(mappingOf(['a', 'b'], { a: 'email', b: null }, [])).toEqual({ mapping: { a: 'email' }, ignored_columns: ['b'] });
  });

  it.each([
    [['a'], { x: 'email' }, 'names the column "x"'],
    [['a'], { a: 'owner_id' }, 'is not a field'],
    [['a'], { a: 'custom_fields.unknown' }, 'is not a field'],
    [['a', 'b'], { a: 'email', b: 'email' }, 'several columns to the field email'],
    [['email', 'E-mail', 'e mail'], { email: 'email', 'E-mail': 'email' }, 'several columns to the field email'],
    [['a', 'a'], { a: 'email' }, 'several columns "a"'],
    [['a'], undefined, 'no column is mapped'],
    [['__proto__'], undefined, 'no column is mapped'],
    [['email', 'Custom fields.Nix'], undefined, 'the file has the column "Custom fields.Nix", for which there is no custom field'],
  ])('of %j by %j is rejected', (headings, given, message) => {
    expect(() => mappingOf(headings, given, [])).toThrow(message);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changedName, nameOf, normalizeEmail, normalizeExternalId, normalizePhone, requireName } from './person-identity.js';

describe('an e-mail address', () => {
  it.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['ada.lovelace+crm@gmail.com', 'ada.lovelace+crm@gmail.com'],
    ['info@MÜNCHEN.de', 'info@xn--mnchen-3ya.de'],
    ['info@xn--mnchen-3ya.de', 'info@xn--mnchen-3ya.de'],
    ['', null],
    ['   ', null],
    [null, null],
    [undefined, null],
  ])('%j is normalized to %j', (given, normalized) => {
    expect(normalizeEmail(given)).toBe(normalized);
  });

  it('is not changed by a second normalization', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const once = normalizeEmail(email);
        expect(normalizeEmail(once)).toBe(once);
      }),
    );
  });
});

describe('a phone number', () => {
  it.each([
    ['030 901820', 'DE', '+4930901820'],
    ['+49 (30) 90 18 20', null, '+4930901820'],
    ['0049 30 901820', 'DE', '+4930901820'],
    ['030 901820', null, '030901820'],
    ['٠٣٠٩٠١٨٢٠', 'DE', '+4930901820'],
    ['call me', 'DE', null],
    ['+', null, null],
    ['', 'DE', null],
  ])('%j in %j is normalized to %j', (given, country, normalized) => {
    expect(normalizePhone(given, country)).toBe(normalized);
  });

  it.each([
    ['0000000000', 'US'],
    ['+1 555 555 5555', null],
    ['+49 000 0000000', 'DE'],
    ['000-0000000', 'KR'],
    ['1', 'DE'],
    ['-1-', 'DE'],
    ['12345 x678', 'DE'],
    ['٠١٢', null],
  ])('%j in %j identifies nobody', (given, country) => {
    expect(normalizePhone(given, country)).toBeNull();
  });

  it.each([
    ['+1 415 555 2671 x12', null, '+14155552671;ext=12'],
    ['(415) 555-2671 ext. 13', 'US', '+14155552671;ext=13'],
    ['tel:+1-415-555-2671;ext=14', null, '+14155552671;ext=14'],
    ['030 901820 Durchwahl 12', 'DE', '030901820x12'],
    ['1234567 x8', 'DE', '1234567x8'],
  ])('%j in %j keeps its extension: %j', (given, country, normalized) => {
    expect(normalizePhone(given, country)).toBe(normalized);
  });

  it.each([
    ['4915112345678', 'DE', '+4915112345678'],
    ['49 (0)30 901820', 'DE', '+4930901820'],
    ['447911123456', 'GB', '+447911123456'],
    ['442071838750', 'US', '+442071838750'],
    ['1-415-555-2671', 'US', '+14155552671'],
    ['8 916 123-45-67', 'RU', '+79161234567'],
    ['7 916 123-45-67', 'RU', '+79161234567'],
  ])('%j without a plus sign in %j is %j', (given, country, normalized) => {
    expect(normalizePhone(given, country)).toBe(normalized);
  });

  it.each([
    ['55 3123 4567', 'BR', '+555531234567'],
    ['4312345678', 'DE', '+494312345678'],
    ['391 123 4567', 'IT', '+393911234567'],
    ['481234567', 'PL', '+48481234567'],
    ['442071838750', null, '442071838750'],
  ])('%j in %j is not taken for a number with a calling code: %j', (given, country, normalized) => {
    expect(normalizePhone(given, country)).toBe(normalized);
  });
});

it('an external id is trimmed and keeps its case', () => {
  expect([normalizeExternalId(' Ab-1 '), normalizeExternalId(' '), normalizeExternalId(null)]).toEqual(['Ab-1', null, null]);
});

describe('a name', () => {
  it('needs the full name or both parts', () => {
    expect(nameOf({ full_name: ' Grace  Brewster Hopper ' })).toEqual({
      full_name: 'Grace Brewster Hopper',
      first_name: 'Grace Brewster',
      last_name: 'Hopper',
    });
    expect(nameOf({ full_name: 'Plato' })).toEqual({ full_name: 'Plato', first_name: 'Plato', last_name: null });
    expect(nameOf({ first_name: 'Ada', last_name: 'Lovelace' })).toMatchObject({ full_name: 'Ada Lovelace' });
    expect(nameOf({ full_name: 'Dr. Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace' })).toEqual({
      full_name: 'Dr. Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
    });
    expect([nameOf({ first_name: 'Ada' }), nameOf({ full_name: ' ' }), nameOf({})]).toEqual([null, null, null]);
  });

  it('has at most 255 characters', () => {
    const named = (full_name: string) => ({ full_name, first_name: full_name, last_name: null });
    expect(requireName(named('𝒜'.repeat(255)), null).full_name).toBe('𝒜'.repeat(255));
    expect(() => requireName(named('𝒜'.repeat(256)), null)).toThrow('full_name must be at most 255 characters long');
  });

  it('is updated in the form that was not given', () => {
    const before = { full_name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace' };
    expect(changedName(before, {})).toBe(before);
    expect(changedName(before, { last_name: null })).toEqual({ full_name: 'Ada', first_name: 'Ada', last_name: null });
    expect(changedName(before, { first_name: null, last_name: null })).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import type { PlacedField } from '../core/placed-fields.js';
import { placedProblems } from './check-placed.js';
import { fillIn } from './fill-in.js';

const PARTIES = [
  { key: 'tenant', order: 1 },
  { key: 'owner', order: 2 },
  { key: 'agent', order: 2 },
];

function field(key: string, kind: PlacedField['kind'], rules: Partial<PlacedField> = {}): PlacedField {
  return { key, kind, party: 'tenant', label: key, required: true, page: 1, x: 0, y: 0, w: 0.2, h: 0.05, ...rules };
}

const option = (value: string) => ({ value, label: null, place: null });
const LEASE = [
  // before what it is calculated from, as on a page
  field('total', 'number', { calculated: 'round(yearly * 1.19, 2)', decimals: 2, max: '50000.00' }),
  field('yearly', 'number', { calculated: 'rent * if(pays = "monthly", 12, 1)' }),
  field('rent', 'number', { decimals: 2 }),
  field('pays', 'choice', { options: [option('monthly'), option('yearly')] }),
  field('pets', 'checkbox', { required: false }),
  field('animal', 'text', { shown_when: 'pets' }),
  field('vaccinated', 'checkbox', { shown_when: 'pets and not (animal = "Fish")' }),
  field('from', 'entered_date'),
  field('until', 'entered_date', { calculated: 'from + 364' }),
  field('pet_initials', 'initials', { shown_when: 'pets' }),
  field('fee', 'number', { party: 'owner', calculated: 'total / 3' }),
  field('dog', 'text', { party: 'owner', shown_when: 'animal != "Cat"', default: 'Dog' }),
];

const fill = (given: Record<string, string> | null, party = 'tenant', earlier: Record<string, string> = {}, fields = LEASE) => {
  const { values, faults, hidden } = fillIn({ fields, party, given, earlier, language: 'de' });
  return { values, faults: faults.map((one) => `${one.field.key} ${one.fault.rule}`), hidden: [...hidden] };
};

const GIVEN = { rent: '1250,5', pays: 'monthly', from: '01.02.2027' };

describe('what a party fills in', () => {
  it('keeps the line breaks of a text on several lines, and its length counts them', () => {
    const fields = [field('note', 'text', { multiline: true, max_length: 14 }), field('name', 'text')];
    const { values } = fill({ note: ' one \r\n\r\n two\tthree\n', name: 'Ada\nLovelace' }, 'tenant', {}, fields);
    expect(values).toEqual({ note: 'one\n\ntwo three', name: 'Ada Lovelace' });
    expect(fill({ note: '1234567\r\n1234567', name: 'A' }, 'tenant', {}, fields).faults).toEqual(['note max_length']);
  });

  it('decides about calculated values, exactly, and about the fields that are there', () => {
    const values = { rent: '1250.50', pays: 'monthly', yearly: '15006', total: '17857.14' };
    expect(fill(GIVEN)).toEqual({
      values: { ...values, pets: 'false', from: '2027-02-01', until: '2028-01-31' },
      faults: [],
      hidden: ['animal', 'vaccinated', 'pet_initials'],
    });
    // 0.1 + 0.2 of binary numbers is not 0.3
    const tenths = [field('a', 'number'), field('b', 'number'), field('c', 'number', { calculated: 'a + b' })];
    expect(fill({ a: '0,1', b: '0,2' }, 'tenant', {}, tenths).values.c).toBe('0.3');
  });

  it('is not kept and not asked for in a field that is hidden, whatever was sent', () => {
    expect(fill({ ...GIVEN, animal: 'Fish', vaccinated: 'true' }).values).not.toHaveProperty('animal');
    expect(fill({ ...GIVEN, pets: 'true' }).faults).toEqual(['animal required', 'vaccinated required']);
    expect(fill({ ...GIVEN, pets: 'true', animal: 'Fish' })).toMatchObject({ faults: [], hidden: ['vaccinated'] });
  });

  it('cannot change what is calculated or read-only', () => {
    expect(fill({ ...GIVEN, total: '1', until: '2030-01-01' }).values).toMatchObject({ total: '17857.14', until: '2028-01-31' });
  });

  it('has no calculated value while something is missing, or divided by zero', () => {
    expect(fill({ pays: 'monthly' })).toMatchObject({ faults: ['rent required', 'from required'], values: { pays: 'monthly' } });
    const divided = [field('a', 'number'), field('c', 'number', { calculated: '1 / a' })];
    expect(fill({ a: '0' }, 'tenant', {}, divided)).toMatchObject({ values: { a: '0' }, faults: [] });
  });

  it('keeps the limits of calculated values, and refuses numbers that are not exact', () => {
    expect(fill({ ...GIVEN, rent: '9.999,00' }).faults).toEqual(['total max']);
    const large = [field('a', 'number'), field('c', 'number', { calculated: 'a * a * a * a * a * a' })];
    expect(fill({ a: '99999999999' }, 'tenant', {}, large).faults).toEqual(['c size']);
    expect(fill({ a: '12345678901' }, 'tenant', {}, [large[0], field('c', 'number', { calculated: 'a * a' })]).faults).toEqual(['c size']);
  });

  it('can depend on what earlier signers filled in', () => {
    expect(fill({}, 'owner', { total: '100.00', animal: 'Cat' })).toMatchObject({ values: { fee: '33.333333' }, hidden: ['dog'] });
    expect(fill(null, 'owner', { total: '100.00', animal: 'Rat' }).values).toEqual({ fee: '33.333333', dog: 'Dog' });
    expect(fill(null, 'owner').values).toEqual({ dog: 'Dog' });
  });
});

describe('expressions of fields', () => {
  const problems = async (...fields: PlacedField[]) =>
    (await placedProblems(fields, { parties: PARTIES, pages: 1 }, 'fields')).map(({ message }) => message);

  it('can name what is known when the party signs', async () => {
    expect(await problems(...LEASE)).toEqual([]);
  });

  it.each([
    ['number', 'net + 1', 'fields.0.calculated names net, which is not a field that a party fills in'],
    ['number', 'a * ', 'fields.0.calculated cannot be read: expected a value: a field, a number, a text in quotes or (, found the end'],
    ['number', 'b * 2', 'fields.0.calculated cannot be read: * needs numbers, amounts or dates, not a text (character 1)'],
    ['number', 'b', 'fields.0.calculated is a text, but the field is of the kind number'],
    ['text', '1', 'fields.0.calculated is a number, but the field is of the kind text'],
    ['number', 'a', 'fields.0.calculated names a, which depends on a itself'],
    ['number', 'c', 'fields.0.calculated names c, which depends on a itself'],
    ['number', 'own', 'fields.0.calculated names own, which owner does not fill in before tenant'],
    ['number', 'sign', 'fields.0.calculated names sign, which is not a field that a party fills in'],
    ['list', 'b', 'fields.0.calculated is only for the kinds number, text, entered_date'],
  ] as const)('a %s cannot be %s', async (kind, calculated, message) => {
    const options = kind === 'list' ? [option('x')] : [];
    const [first] = await problems(
      field('a', kind, { calculated, options }),
      field('b', 'text'),
      field('c', 'number', { calculated: 'd' }),
      field('d', 'number', { calculated: 'if(d2, 1, 2)' }),
      field('d2', 'checkbox', { shown_when: 'a' }),
      field('own', 'number', { party: 'owner' }),
      field('sign', 'signature'),
    );
    expect(first).toContain(message);
  });

  it('are checked against options and the order of signing', async () => {
    const choice = field('pays', 'choice', { options: [option('monthly'), option('yearly')] });
    expect(await problems(choice, field('a', 'text', { shown_when: 'pays = "weekly"' }))).toEqual([
      expect.stringContaining('weekly is not a value of pays: monthly, yearly'),
    ]);
    const beside = field('b', 'text', { party: 'agent', shown_when: 'c' });
    expect(await problems(field('c', 'text', { party: 'owner' }), beside)).toEqual([
      'fields.1.shown_when names c, which owner does not fill in before agent',
    ]);
    expect(await problems(field('c', 'text'), beside)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstMatch, holds, type AssignmentCondition } from './assignment-rules.js';
import { NO_CONSENT, withConsent } from './consent.js';
import { carriedCustomFields, mergeCustomFields, type CustomFieldDefinition } from './custom-fields.js';
import { nameOf, normalizeEmail, normalizeExternalId, normalizePhone, renamed } from './lead-identity.js';
import { scoreOf, type ScoredLead } from './lead-scoring.js';
import { closedAt, DEFAULT_STAGES } from './stage-kind.js';

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
  ])('%j is compared as %j', (given, normalized) => {
    expect(normalizeEmail(given)).toBe(normalized);
  });

  it('normalised once stays as it is', () => {
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
    ['12', 'DE', '12'],
    ['call me', 'DE', null],
    ['+', null, null],
    ['٠١٢', null, '٠١٢'],
    ['', 'DE', null],
  ])('%j in %j is compared as %j', (given, country, normalized) => {
    expect(normalizePhone(given, country)).toBe(normalized);
  });
});

it('an external id is trimmed and keeps its case', () => {
  expect([normalizeExternalId(' Ab-1 '), normalizeExternalId(' '), normalizeExternalId(null)]).toEqual(['Ab-1', null, null]);
});

describe('a name', () => {
  it('is whole or in both parts', () => {
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

  it('is renewed in the form that was not given', () => {
    const before = { full_name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace' };
    expect(renamed(before, {})).toBe(before);
    expect(renamed(before, { last_name: null })).toEqual({ full_name: 'Ada', first_name: 'Ada', last_name: null });
    expect(renamed(before, { first_name: null, last_name: null })).toBeNull();
  });
});

describe('custom fields', () => {
  const field = (key: string, type: CustomFieldDefinition['type'], over: Partial<CustomFieldDefinition> = {}): CustomFieldDefinition => ({
    key,
    type,
    options: [],
    required: false,
    ...over,
  });

  it.each([
    ['text', 'x', 5],
    ['text', 'x', ''],
    ['number', 0.5, '1'],
    ['number', 1, Infinity],
    ['boolean', false, 0],
    ['date', '2026-02-28', '2026-02-30'],
    ['date', '2026-02-28', '28.2.2026'],
    ['url', 'https://example.com/a?b=c', 'example.com'],
    ['url', 'http://example.com', 'javascript:alert(1)'],
  ] as const)('%s takes %j and not %j', (type, good, bad) => {
    expect(mergeCustomFields([field('a', type)], { a: good }, null)).toEqual({ a: good });
    expect(() => mergeCustomFields([field('a', type)], { a: bad }, null)).toThrow('custom_fields.a must');
  });

  it('select takes an option, multi_select several, each once', () => {
    const options = ['x', 'y'];
    const both = [field('one', 'select', { options }), field('some', 'multi_select', { options })];
    expect(mergeCustomFields(both, { one: 'x', some: ['y', 'x'] }, null)).toEqual({ one: 'x', some: ['y', 'x'] });
    const many: CustomFieldDefinition = { ...both[0], options: Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(100, '.')) };
    expect(() => mergeCustomFields([many], { one: 'z' }, null)).toThrow('custom_fields.one must be one of the options of the field');
    for (const bad of [{ one: 'z' }, { one: ['x'] }, { some: 'x' }, { some: ['x', 'x'] }, { some: ['z'] }])
      expect(() => mergeCustomFields(both, bad, null)).toThrow('must be');
  });

  it.each(['{}', 5, [], true, null])('%j is no JSON object', (given) => {
    expect(() => mergeCustomFields([], given, null)).toThrow('custom_fields must be a JSON object');
  });

  it('an unknown key is refused by name, those of Object.prototype too', () => {
    for (const key of ['x', 'constructor', 'toString'])
      expect(() => mergeCustomFields([field('a', 'text')], { [key]: 'v' }, null)).toThrow(`unknown custom field: ${key}`);
    expect(() => mergeCustomFields([], JSON.parse('{"__proto__": {"a": 1}}'), null)).toThrow('unknown custom field: __proto__');
  });

  it('merge: given replaces, null clears, absent stays, and what lost its definition stays too', () => {
    expect(mergeCustomFields([field('a', 'number'), field('b', 'number')], { a: 2, b: null }, { a: 1, b: 1, gone: 'x' })).toEqual({
      a: 2,
      gone: 'x',
    });
    expect(mergeCustomFields([field('a', 'number')], { a: null }, null)).toEqual({});
  });

  it('required ones are asked for on creation and cannot be cleared', () => {
    const required = [field('a', 'number', { required: true })];
    expect(() => mergeCustomFields(required, {}, null)).toThrow('custom_fields.a is required');
    expect(() => mergeCustomFields(required, undefined, null)).toThrow('custom_fields.a is required');
    expect(mergeCustomFields(required, {}, {})).toEqual({});
    expect(() => mergeCustomFields(required, { a: null }, { a: 1 })).toThrow('cannot be cleared');
  });

  it('a contact takes over what it has a field of the same kind for', () => {
    expect(carriedCustomFields([field('a', 'number'), field('b', 'text'), field('c', 'text')], { a: 1, b: 2, d: 'x' })).toEqual({ a: 1 });
  });
});

describe('conditions', () => {
  const lead = { email: 'ada@acme.de', job_title: null, custom_fields: { size: 50, tags: ['a', 'b'], vip: true } };
  it.each([
    ['email', 'eq', 'ADA@acme.de', true],
    ['email', 'neq', 'x', true],
    ['email', 'contains', 'acme', true],
    ['email', 'starts_with', 'acme', false],
    ['email', 'ends_with', '.DE', true],
    ['email', 'in', ['x', 'ada@acme.de'], true],
    ['email', 'not_in', ['ada@acme.de'], false],
    ['job_title', 'is_set', null, false],
    ['job_title', 'is_not_set', null, true],
    ['job_title', 'eq', 'x', false],
    ['job_title', 'neq', 'x', true],
    ['job_title', 'not_in', ['x'], true],
    ['custom_fields.size', 'gt', 49, true],
    ['custom_fields.size', 'lt', 49, false],
    ['custom_fields.size', 'gt', '49', false],
    ['custom_fields.tags', 'eq', 'b', true],
    ['custom_fields.tags', 'in', ['c', 'a'], true],
    ['custom_fields.vip', 'eq', true, true],
    ['custom_fields.constructor', 'is_set', null, false],
    ['custom_fields.none', 'gt', 1, false],
  ] as const)('%s %s %j: %j', (field, op, value, expected) => {
    expect(holds({ field, op, value } as AssignmentCondition, lead)).toBe(expected);
  });

  it('the first active rule that fits wins; none fits, none wins', () => {
    const rule = (name: string, over: object = {}) => ({ name, active: true, conditions: [] as AssignmentCondition[], ...over });
    const never: AssignmentCondition = { field: 'email', op: 'eq', value: 'nobody' };
    expect(
      firstMatch([rule('off', { active: false }), rule('other', { conditions: [never] }), rule('fits'), rule('late')], lead)?.name,
    ).toBe('fits');
    expect(firstMatch([rule('other', { conditions: [never] })], lead)).toBeNull();
  });
});

describe('consent', () => {
  it('keeps false, true and never asked apart', () => {
    const now = new Date('2026-11-21T09:30:00.000Z');
    const consent = withConsent(NO_CONSENT, { consent_email: false, consent_source: 'Form' }, now);
    expect(consent).toEqual({ ...NO_CONSENT, email: { granted: false, timestamp: '2026-11-21T09:30:00.000Z', source: 'Form' } });
    expect(withConsent(consent, { consent_source: 'Later' }, now)).toEqual(consent);
  });
});

describe('stages', () => {
  const now = new Date('2026-11-21T09:30:00Z');
  const earlier = new Date('2026-11-01T00:00:00Z');
  it('closed_at follows the kind', () => {
    expect(closedAt(null, 'open', now)).toBeNull();
    expect(closedAt(null, 'won', now)).toBe(now);
    expect(closedAt({ status: 'won', closed_at: earlier }, 'won', now)).toBe(earlier);
    expect(closedAt({ status: 'won', closed_at: earlier }, 'lost', now)).toBe(now);
    expect(closedAt({ status: 'lost', closed_at: earlier }, 'open', now)).toBeNull();
  });

  it.each(['lead', 'deal'] as const)('a project starts with every kind of %s stage, an open one first', (kind) => {
    expect(new Set(DEFAULT_STAGES[kind].map((stage) => stage.kind))).toEqual(new Set(['open', 'won', 'lost']));
    expect(DEFAULT_STAGES[kind][0].kind).toBe('open');
  });
});

describe('the score', () => {
  const bare: ScoredLead = {
    email: null,
    phone_normalized: '123',
    company_name: null,
    job_title: null,
    source_id: null,
    utm_campaign: null,
    submission_count: 1,
    status_kind: 'open',
    consent: NO_CONSENT,
    custom_fields: {},
  };
  const full: ScoredLead = {
    email: 'ada@acme.de',
    phone_normalized: '+4930901820',
    company_name: 'Acme',
    job_title: 'Head of Purchasing',
    source_id: 'x',
    utm_campaign: 'x',
    submission_count: 5,
    status_kind: 'open',
    consent: withConsent(NO_CONSENT, { consent_email: true }, new Date()),
    custom_fields: { a: 1 },
  };

  it('lies between 0 and 100, and an unqualified lead has none', () => {
    expect([scoreOf(bare), scoreOf(full), scoreOf({ ...full, status_kind: 'lost' })]).toEqual([0, 100, 0]);
    expect(scoreOf({ ...full, email: 'ada@gmail.com' })).toBe(85);
  });
});

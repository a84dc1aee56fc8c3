import { describe, expect, test } from '@jest/globals';
import { eventRoot } from './event-root.js';
import { mapped, sourceMapProblems, type Source } from './source-map.js';
import { titleOf, titleProblem } from './title-template.js';

const DEAL = {
  id: 'd-1',
  title: 'Licence',
  amount: 1250,
  closed_at: '2026-11-21T23:30:00.000Z',
  owner_id: null,
  hex: '0x10',
  price: '119.00',
  items: [{ sku: 'A' }],
  custom_fields: { seats: 25 },
};
const ROOT = eventRoot('deal.won', DEAL);

describe('the paths of an event', () => {
  test('resolve with and without the first word of the event type', () =>
    expect(mapped({ a: 'deal.amount', b: 'amount', c: 'deal.custom_fields.seats', d: 'deal.items.0.sku' }, ROOT, 'UTC')).toEqual({
      a: 1250,
      b: 1250,
      c: 25,
      d: 'A',
    }));

  test('resolve name to the title if there is no name', () => {
    expect(titleOf('{{deal.name}}', ROOT).title).toBe('Licence');
    expect(titleOf('{{deal.name}}', eventRoot('deal.won', { deal: { name: 'Own', title: 'Other' } })).title).toBe('Own');
  });

  test('resolve wrapped and bare payloads', () => {
    expect(mapped({ a: 'order.total', b: 'region' }, eventRoot('order.placed', { order: { total: 5 }, region: 'EU' }), 'UTC')).toEqual({
      a: 5,
      b: 'EU',
    });
    expect(
      mapped(
        { a: 'form.slug', b: 'form.answers.email', c: 'answers.email' },
        eventRoot('form.submitted', { form: { slug: 'intake' }, answers: { email: 'x' } }),
        'UTC',
      ),
    ).toEqual({ a: 'intake', b: 'x', c: 'x' });
  });

  test('do not resolve members inherited from Object.prototype', () =>
    expect(mapped({ a: 'constructor.name', b: 'deal.toString', c: '__proto__.x' }, ROOT, 'UTC')).toEqual({}));
});

describe('a source', () => {
  const value = (source: Source, zone = 'UTC') => mapped({ field: source }, ROOT, zone).field;

  test.each<[Source, unknown]>([
    [{ const: { a: 1 } }, { a: 1 }],
    [{ const: null }, null],
    [{ path: 'deal.owner_id', default: 'nobody' }, 'nobody'],
    [{ path: 'deal.nothing' }, undefined],
    [{ path: 'deal.items', columns: { code: 'sku', note: 'remark' } }, [{ code: 'A' }]],
    [{ path: 'deal.amount', columns: { code: 'sku' } }, undefined],
    [{ path: 'deal.amount', default: 3 }, 1250],
    [{ path: 'deal.amount', transform: 'string' }, '1250'],
    [{ path: 'deal.title', transform: 'upper' }, 'LICENCE'],
    [{ path: 'deal.title', transform: 'lower' }, 'licence'],
    [{ path: 'deal.custom_fields.seats', transform: 'number' }, 25],
    [{ path: 'deal.price', transform: 'number' }, 119],
  ])('%j gives %j', (source, expected) => expect(value(source)).toEqual(expected));

  test('converts a timestamp to a date in the time zone of the project', () => {
    expect([
      value({ path: 'deal.closed_at', transform: 'date' }),
      value({ path: 'deal.closed_at', transform: 'date' }, 'Asia/Tokyo'),
    ]).toEqual(['2026-11-21', '2026-11-22']);
  });

  test.each<[Source, string]>([
    [{ path: 'deal.title', transform: 'number' }, 'source_map.field: the value at deal.title is not a number'],
    [{ path: 'deal.hex', transform: 'number' }, 'source_map.field: the value at deal.hex is not a number'],
    [{ path: 'deal.title', transform: 'date' }, 'source_map.field: the value at deal.title is not a date'],
    [{ path: 'deal.items', transform: 'upper' }, 'source_map.field: the value at deal.items is neither a string nor a number'],
  ])('%j is rejected and the error names the field', (source, message) => expect(() => value(source)).toThrow(message));

  test.each<[unknown, string]>([
    [5, 'must be a path'],
    ['deal..amount', 'must have a path'],
    [{ path: 'a b' }, 'must have a path'],
    [{ path: 'a', transform: 'eval' }, 'as transform'],
    [{ path: 'a', code: 'x' }, 'unknown member code'],
    [{ const: 1, path: 'a' }, 'unknown member const'],
    [null, 'must be a path'],
  ])('%j is not a valid source', (source, words) =>
    expect(sourceMapProblems({ field: source }, 'source_map', () => true, [])).toMatchObject([
      { param: 'source_map.field', message: expect.stringContaining(words) },
    ]),
  );

  test('for an unknown field is rejected with the list of known fields', () => {
    expect(sourceMapProblems({ nme: 'a' }, 'source_map', (name) => name === 'name', ['name'])).toEqual([
      { param: 'source_map.nme', code: 'invalid_value', message: 'source_map.nme is not a known field', allowed: ['name'] },
    ]);
  });
});

describe('a title', () => {
  test('fills in the values of the event and omits missing ones', () =>
    expect(titleOf('{{ deal.title }} for {{deal.nobody}}  ({{amount}})', ROOT)).toEqual({ title: 'Licence for (1250)', isCut: false }));
  test('must not be empty', () =>
    expect(() => titleOf('{{deal.nobody}}', ROOT)).toThrow('title_template gives an empty title for this event'));
  test('is truncated to the maximum length of a title', () => {
    const whole = '💶'.repeat(255);
    expect(titleOf('{{x}}', { x: whole })).toEqual({ title: whole, isCut: false });
    expect(titleOf('{{x}}', { x: `${whole}€` })).toEqual({ title: `${'💶'.repeat(254)}…`, isCut: true });
  });
  test.each([
    ['{{#if deal}}x', false],
    ['{{deal.title', false],
    ['}} {{', false],
    ['{{ }}', false],
    ['{{deal.title | upper}}', false],
    ['plain', true],
    ['{ {{a.b.0}} }', true],
  ])('%s: a template %p', (template, right) => expect(titleProblem(template) === null).toBe(right));
});

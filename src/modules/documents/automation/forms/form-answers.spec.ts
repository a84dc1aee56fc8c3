import { describe, expect, test } from '@jest/globals';
import type { FieldSchema } from '../../model/core/field-schema.js';
import { readAnswers as read, typedText, withoutEmptyRows, type RawAnswers } from './form-answers.js';

const readAnswers = (schema: FieldSchema, raw: RawAnswers, language = 'en', timeZone = 'Europe/Berlin') =>
  read(schema, raw, { language, timeZone });

const FORM = {
  type: 'object',
  required: ['company', 'agreed', 'contacts'],
  properties: {
    company: { type: 'string', 'x-label': 'Company', maxLength: 20 },
    email: { type: 'string', format: 'email' },
    size: { type: 'integer', minimum: 1 },
    share: { type: 'number' },
    turnover: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' },
    budget: { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' },
    currency: { type: 'string', enum: ['EUR', 'JPY'] },
    starts_on: { type: 'string', format: 'date' },
    agreed: { type: 'boolean', 'x-label': 'I agree' },
    newsletter: { type: 'boolean' },
    contacts: {
      type: 'array',
      'x-label': 'Contacts',
      maxItems: 2,
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, phone: { type: 'string', 'x-format': 'phone' } },
      },
    },
  },
} as unknown as FieldSchema;
const GOOD = { company: ' Acme ', agreed: 'yes', 'contacts.0.name': 'Ada' };

describe('the answers of a form', () => {
  test.each([
    ['12,500.50', 1_250_050],
    ['12.500,50', 1_250_050],
    ["12'500.50", 1_250_050],
    ['12\u00a0500,50', 1_250_050],
    ['12 500', 1_250_000],
    ['12,500', 1_250_000],
    ['1,234,567', 123_456_700],
    ['12500.50', 1_250_050],
    ['1,2', 120],
  ])('read the amount %s', (turnover, cents) => {
    expect(readAnswers(FORM, { ...GOOD, turnover })).toMatchObject({ problems: [], answers: { turnover: cents } });
  });

  test.each(['12,500.505', '1,25,000', '12,50.00', '1.2.3', 'EUR', '1,250.50.1'])('reject the amount %s', (turnover) => {
    expect(readAnswers(FORM, { ...GOOD, turnover }).problems).toEqual([
      { path: 'turnover', text: 'Turnover must be an amount such as 1,250.50.' },
    ]);
  });

  test('read the amounts of a row in the currency of the document, which may have a default', () => {
    const price = { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' };
    const currency = { type: 'string', default: 'EUR' };
    const items = { type: 'array', items: { type: 'object', properties: { price } } };
    const form = { type: 'object', properties: { items, currency } } as unknown as FieldSchema;
    const read = (raw: RawAnswers) => readAnswers(form, { 'items.0.price': '1,250', ...raw }).answers.items;
    expect([read({ currency: 'JPY' }), read({ currency: 'EUR' }), read({})]).toEqual([
      [{ price: 1_250 }],
      [{ price: 125_000 }],
      [{ price: 125_000 }],
    ]);
    expect(readAnswers(form, { 'items.0.price': '1.5', currency: 'JPY' }).problems).toEqual([
      { path: 'items.0.price', text: 'Items, row 1, Price must be an amount such as 1,250.' },
    ]);
  });

  test('reject a negative amount, unless the schema gives a minimum', () => {
    expect(readAnswers(FORM, { ...GOOD, turnover: '-1,250.5' }).problems).toEqual([
      { path: 'turnover', text: 'Turnover must not be negative.' },
    ]);
    const money = { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' };
    const free = { ...FORM, properties: { ...FORM.properties, turnover: { ...money, minimum: -1_000_000 } } };
    expect(readAnswers(free as never, { ...GOOD, turnover: '-1,250.5' })).toMatchObject({ problems: [], answers: { turnover: -125_050 } });
    const items = { type: 'object', properties: { name: { type: 'string' }, fee: money } };
    const rows = { ...FORM, properties: { ...FORM.properties, contacts: { type: 'array', items } } };
    expect(readAnswers(rows as never, { ...GOOD, 'contacts.0.fee': '-1' }).problems).toMatchObject([{ path: 'contacts.0.fee' }]);
  });

  test('reject a number that could mean two amounts', () => {
    const form = { ...FORM, properties: { ...FORM.properties, turnover: { type: 'integer', 'x-format': 'money', 'x-currency': 'KWD' } } };
    expect(readAnswers(form as never, { ...GOOD, turnover: '1,250' }).problems).toHaveLength(1);
    expect(readAnswers(form as never, { ...GOOD, turnover: '1,250.500' })).toMatchObject({
      problems: [],
      answers: { turnover: 1_250_500 },
    });
  });

  test('have the default of a field that was not sent, but not of one that was cleared; rows with only defaults are empty', () => {
    const form = {
      type: 'object',
      properties: {
        country: { type: 'string', default: 'DE' },
        lines: { type: 'array', items: { type: 'object', properties: { qty: { type: 'integer', default: 1 }, name: { type: 'string' } } } },
      },
    } as unknown as FieldSchema;
    const raw = { 'lines.0.qty': '1', 'lines.0.name': 'Chair', 'lines.1.qty': '1' };
    expect(readAnswers(form, raw).answers).toEqual({ country: 'DE', lines: [{ qty: 1, name: 'Chair' }] });
    expect(readAnswers(form, { ...raw, country: '' }).answers).toEqual({ lines: [{ qty: 1, name: 'Chair' }] });
  });

  test('become typed values, and empty ones are omitted', () => {
    const raw = {
      ...GOOD,
      email: '',
      size: '1 200',
      share: '0,5',
      turnover: '1250.5',
      budget: '12',
      currency: 'JPY',
      starts_on: '2026-12-01',
      'contacts.1.name': '',
      'contacts.1.phone': ' ',
    };
    expect(readAnswers(FORM, raw)).toEqual({
      problems: [],
      answers: {
        company: 'Acme',
        size: 1200,
        share: 0.5,
        turnover: 125050,
        budget: 12,
        currency: 'JPY',
        starts_on: '2026-12-01',
        agreed: true,
        newsletter: false,
        contacts: [{ name: 'Ada' }],
      },
    });
  });

  test('convert money exactly, without floating-point rounding', () => {
    const turnover = (text: string) => readAnswers(FORM, { ...GOOD, turnover: text }).answers.turnover;
    expect(['1.15', '0.07', '1', '-3,5'].map(turnover)).toEqual([115, 7, 100, -350]);
    expect(readAnswers(FORM, { ...GOOD, turnover: '1.155' }).problems).toEqual([
      { path: 'turnover', text: 'Turnover must be an amount such as 1,250.50.' },
    ]);
  });

  test('that are missing are reported by their label', () => {
    expect(readAnswers(FORM, { 'contacts.0.phone': '+49 30 901820' }).problems).toEqual([
      { path: 'company', text: 'Company is required.' },
      { path: 'agreed', text: 'Please tick: I agree' },
      { path: 'contacts.0.name', text: 'Contacts, row 1, Name is required.' },
    ]);
    expect(readAnswers(FORM, { company: 'x', agreed: 'yes' }).problems).toEqual([{ path: 'contacts', text: 'Contacts is required.' }]);
  });

  test('keep the rows in their order without the empty ones, so that a problem stands at the row that has it', () => {
    const sent = { company: 'x', 'contacts.0.name': ' ', 'contacts.7.name': 'Ada', 'contacts.31.phone': '12', 'contacts.x.name': 'no' };
    const raw = withoutEmptyRows(FORM, sent, { language: 'en', timeZone: 'UTC' });
    expect(raw).toEqual({ company: 'x', 'contacts.0.name': 'Ada', 'contacts.1.phone': '12' });
    expect(readAnswers(FORM, { ...GOOD, ...raw }).problems.map(({ path }) => path)).toEqual(['contacts.1.phone']);
  });

  test('have at most as many rows as the schema permits, or else a page can show', () => {
    const rows = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, row) => [`contacts.${row}.name`, `Ada ${row}`]));
    const { contacts } = FORM.properties;
    const free = { ...FORM, properties: { ...FORM.properties, contacts: { ...contacts, maxItems: undefined } } } as unknown as FieldSchema;
    const problems = (schema: FieldSchema, count: number) =>
      readAnswers(schema, { ...GOOD, ...withoutEmptyRows(schema, rows(count), { language: 'en', timeZone: 'UTC' }) }).problems;
    const tooMany = (most: number) => [{ path: 'contacts', text: `Contacts must not have more than ${most} rows.` }];
    expect([problems(FORM, 2), problems(FORM, 3)]).toEqual([[], tooMany(2)]);
    expect([problems(free, 100), problems(free, 9000)]).toEqual([[], tooMany(100)]);
  });

  test.each([
    [{ size: 'many' }, 'Size must be a whole number such as 1,250.'],
    [{ size: '0' }, 'Size must be at least 1.'],
    [{ email: 'nobody' }, 'Email must be an e-mail address.'],
    [{ starts_on: '2026-02-30' }, 'Starts on must be a day such as 2026-12-31.'],
    [{ company: 'x'.repeat(21) }, 'Company must not have more than 20 characters.'],
    [{ currency: 'USD' }, 'Currency must be one of EUR, JPY.'],
  ])('%j: %s', (over, text) => expect(readAnswers(FORM, { ...GOOD, ...over }).problems.map((problem) => problem.text)).toEqual([text]));

  test.each([
    ['de-AT', 'Email: bitte eine gültige E-Mail-Adresse eingeben.', 'Company: höchstens 20 Zeichen.'],
    ['fr', 'Email\u00a0: indiquez une adresse e-mail valable.', 'Company\u00a0: au plus 20 caractères.'],
    ['es', 'Email: indique una dirección de correo válida.', 'Company: como máximo 20 caracteres.'],
  ])('have their problems in the language %s', (language, ...texts) => {
    const { problems } = readAnswers(FORM, { ...GOOD, email: 'nobody', company: 'x'.repeat(21) }, language);
    expect(problems.map(({ text }) => text).sort()).toEqual([...texts].sort());
  });

  test('have all their problems reported at once, in the order of the fields', () => {
    expect(
      readAnswers(FORM, { email: 'nobody', agreed: 'yes', 'contacts.0.phone': '+49 30 901820' }).problems.map(({ path }) => path),
    ).toEqual(['company', 'email', 'contacts.0.name']);
  });

  test('are ambiguous if a separator could mean two amounts: the message shows how the language writes one', () => {
    const problem = (turnover: string, language: string) => readAnswers(FORM, { ...GOOD, turnover }, language).problems[0]?.text;
    expect(problem('1.250', 'en')).toBe('Turnover must be an amount such as 1,250.50.');
    expect(problem('1,250', 'de')).toBe('Turnover: bitte einen Betrag wie 1.250,50 eingeben.');
    expect(problem('1.250', 'fr')).toBe('Turnover\u00a0: indiquez un montant, par exemple 1\u202f250,50.');
    expect(problem('1,250', 'de-CH')).toBe("Turnover: bitte einen Betrag wie 1'250.50 eingeben.");
    expect(problem('$ 1,250', 'en')).toBe('Turnover must be an amount such as 1,250.50.');
  });

  test('name the limit of an amount as the visitor writes it', () => {
    const fee = { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR', minimum: 150_050 };
    const form = { type: 'object', properties: { fee } } as unknown as FieldSchema;
    expect(readAnswers(form, { fee: '12 €' }, 'de').problems).toEqual([{ path: 'fee', text: 'Fee: mindestens 1500,50.' }]);
  });

  test('that are a day with a time are in the time zone of the project', () => {
    const form = { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } } as unknown as FieldSchema;
    expect(readAnswers(form, { at: '2026-11-21T09:30' }).answers).toEqual({ at: '2026-11-21T08:30:00Z' });
    expect(readAnswers(form, { at: '2026-07-21T09:30' }).answers).toEqual({ at: '2026-07-21T07:30:00Z' });
    expect(readAnswers(form, { at: '2026-11-21T09:30:00+05:30' }).answers).toEqual({ at: '2026-11-21T09:30:00+05:30' });
    expect(readAnswers(form, { at: '2026-02-30T09:30' }).problems).toHaveLength(1);
  });

  test.each([
    ['28.11.2026', 'de', '2026-11-28'],
    ['1. 2. 2026', 'de', '2026-02-01'],
    ['28/11/2026', 'fr', '2026-11-28'],
    ['2026/11/28', 'en', '2026-11-28'],
    ['11/28/2026', 'en', '2026-11-28'],
    ['28/11/2026', 'en', '2026-11-28'],
    ['12/31/2026', 'en-US', '2026-12-31'],
  ])('read the day %s in %s', (starts_on, language, day) =>
    expect(readAnswers(FORM, { ...GOOD, starts_on }, language)).toMatchObject({ problems: [], answers: { starts_on: day } }),
  );

  test.each([
    ['03/04/2026', 'en', 'Starts on must be a day such as 2026-12-31.'],
    ['30.02.2026', 'de', 'Starts on: bitte einen Tag wie 31.12.2026 eingeben.'],
    ['28.11.26', 'de', 'Starts on: bitte einen Tag wie 31.12.2026 eingeben.'],
  ])('reject the day %s in %s', (starts_on, language, text) =>
    expect(readAnswers(FORM, { ...GOOD, starts_on }, language).problems).toEqual([{ path: 'starts_on', text }]),
  );

  test('reject a number with more digits than can be kept exactly', () => {
    const problem = (share: string, language = 'en') => readAnswers(FORM, { ...GOOD, share }, language).problems[0]?.text;
    expect(problem('9007199254740993')).toBe('Share has more digits than can be kept exactly.');
    expect(problem(`0,${'0'.repeat(400)}1`, 'de')).toBe('Share: die Zahl hat mehr Stellen, als genau gespeichert werden können.');
    expect(problem('9007199254740992')).toBeUndefined();
    expect(readAnswers(FORM, { ...GOOD, share: '0.100' }).answers).toMatchObject({ share: 0.1 });
  });

  test('show a step and its fault as the language writes it', () => {
    const form = { type: 'object', properties: { share: { type: 'number', multipleOf: 0.01 } } } as unknown as FieldSchema;
    expect(readAnswers(form, { share: '4,35' }, 'de').problems).toEqual([]);
    expect(readAnswers(form, { share: '4,355' }, 'de').problems).toEqual([
      { path: 'share', text: 'Share: bitte ein Vielfaches von 0,01 eingeben.' },
    ]);
  });

  test.each([
    ['number', undefined, 1e-7],
    ['number', undefined, 1e21],
    ['integer', undefined, -42],
    ['string', 'date-time', '2026-11-28T09:30:00.5Z'],
    ['string', 'date-time', '2026-11-28T09:30:00Z'],
    ['string', 'date', '2026-11-28'],
  ])('keep a default of the type %s %s that is sent back untouched: %p', (type, format, value) => {
    const field = { type, format, default: value };
    const text = typedText(field as never, value, null, { language: 'de', timeZone: 'Europe/Berlin' });
    const form = { type: 'object', properties: { field } } as unknown as FieldSchema;
    expect(readAnswers(form, { field: text }, 'de')).toMatchObject({ problems: [], answers: { field: value } });
  });

  test('contain only fields of the form', () =>
    expect(readAnswers(FORM, { ...GOOD, admin: 'yes', __proto__: { x: 1 }, constructor: 'y' }).answers).not.toHaveProperty('admin'));
});

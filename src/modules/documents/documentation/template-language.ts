/** The tokens of templates and what they print. A test publishes a template that contains all of them. */
export const TOKENS: readonly (readonly [token: string, prints: string])[] = [
  ['{{customer}}', 'the value of the field customer'],
  ['{{document.number}}', 'the number of the document'],
  ['{{document.title}}', 'its title'],
  ['{{document.created_on}}', 'the day on which it was created'],
  ['{{document.finalized_on}}', 'the day on which it was finalized'],
  ['{{#table items}}', 'the table items, with a column for each of its fields; x-total adds a row with the sum'],
  ['{{sum items.price}}', 'the sum of a column; amounts in several currencies have a line each'],
  ['{{words price}}', 'an amount or whole number in words'],
  ['{{words sum items.price}}', 'the sum of a column in words'],
  ['{{#signature customer us}}', 'a line for each of up to three parties to sign on, side by side'],
  ['{{signed_on customer}}', 'the day on which the party signed'],
  ['{{#logo}}', 'the logo of the organization, in the PDF'],
  ['{{#if renews}} ... {{/if}}', 'a section that is printed if the field has a value, the boolean is true or the table has rows'],
  [
    '{{#if price >= 100000}} ... {{/if}}',
    'a section that is printed if the comparison (=, !=, <, <=, >, >=) is true; amounts are in the minor unit',
  ],
  [
    '{{#if currency = "EUR"}} ... {{else}} ... {{/if}}',
    'one of two sections; strings are quoted and support only = and !=, dates support all comparisons',
  ],
  ['\\{{', 'two braces'],
];

export const FIELD_KEYWORDS: readonly (readonly [keyword: string, value: string])[] = [
  ['x-label', 'Label for people, in forms and in the heads of tables. Without it, the name: start_on becomes "Start on".'],
  ['x-order', 'Number by which fields and columns are sorted; those without one come last, in the order in which they are written.'],
  ['x-format', 'What the value is beyond its type, see below. It is checked.'],
  ['x-currency', 'For money: an ISO 4217 code, or the name of a string field next to it that holds the code.'],
  ['x-total', 'true on a number column of a table: the printed table ends with its sum.'],
  [
    'x-calculated',
    'An expression that gives the value, such as "quantity * price". The value is stored with the others; a request that sends another ' +
      'value is refused. In a column, names are those of the same row.',
  ],
];

export const FORMATS: readonly (readonly [format: string, type: string, meaning: string])[] = [
  ['money', 'integer', 'An amount in minor units: 1050 is EUR 10.50, and JPY 1,050.'],
  ['phone', 'string', 'A phone number with its country code; stored as E.164, printed in the international format.'],
  ['party', 'string', 'The name of a person or company that is a party to the document; one line.'],
  ['user', 'string', 'The e-mail address of an active member; stored in lower case.'],
];

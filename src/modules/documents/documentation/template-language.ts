/** The tokens of templates and what they print. A test publishes a template that contains all of them. */
export const TOKENS: readonly (readonly [token: string, prints: string])[] = [
  ['{{customer}}', 'the value of the field customer'],
  ['{{document.number}}', 'the number of the document'],
  ['{{document.title}}', 'its title'],
  ['{{document.created_on}}', 'the day on which it was created'],
  ['{{document.finalized_on}}', 'the day on which it was finalized'],
  ['{{custom_fields.region}}', 'the custom field region of the document; nothing else checks that there is one'],
  ['{{#table items}}', 'the table items, with a column for each of its fields; x-total adds a row with the sum'],
  ['{{sum items.price}}', 'the sum of a column; amounts in several currencies have a line each'],
  ['{{words price}}', 'an amount or whole number in words'],
  ['{{words sum items.price}}', 'the sum of a column in words'],
  ['{{#signature customer us}}', 'a line for each of up to three parties to sign on, side by side'],
  ['{{signed_on customer}}', 'the day on which the party signed'],
  [
    '{{#field place party=customer label="Place" max_length=40}}',
    'a line that the party fills in when it signs; the rules are those of fields on uploaded PDFs, kind is text without another one',
  ],
  ['{{#field agrees party=customer kind=checkbox label="I agree" required}}', 'a box that it ticks'],
  [
    '{{#field pays party=customer kind=choice label="Pays" options="monthly: Every month, yearly: Every year" width=60}}',
    'what it chooses; width is in millimetres',
  ],
  [
    `{{#field months party=customer kind=number label="Months" shown_when='agrees and pays = "monthly"'}}`,
    'a field that depends on others; a value with spaces stands in double or single quotes',
  ],
  ['{{#columns}} ... {{#column}} ... {{/columns}}', 'what is between the tokens side by side'],
  ['{{#page_break}}', 'nothing; what follows begins a page of the PDF'],
  ['{{#qr customer}}', 'a text as a QR code'],
  ['{{#barcode document.number}}', 'a text as a barcode, with the text below it: that of its x-format, or else Code 128'],
  [
    '{{#payment_qr customer, iban, price, document.number}}',
    'a QR code for a credit transfer in euros (EPC069-12) to a name and IBAN, with an amount and a reference; nothing while one of them ' +
      'is missing or invalid, or if the amount is in another currency',
  ],
  [
    '{{#image photo, 60}}',
    'a picture that was uploaded, 60 mm wide; without a width in its own size. A third part describes it, else its label',
  ],
  ['{{#logo}}', 'the logo of the organization, in the PDF'],
  ['{{price * 1.19}}', 'the result of an expression'],
  ['{{#if renews}} ... {{/if}}', 'a section that is printed if the field has a value, the boolean is true or the table has rows'],
  [
    '{{#if price >= 100000}} ... {{else if price > 0}} ... {{else}} ... {{/if}}',
    'the first section whose condition is true; amounts are in the minor unit',
  ],
  [
    '{{#if currency = "EUR" and not (renews or price = 0)}} ... {{/if}}',
    'conditions are combined by and, or, not and parentheses; texts in quotes can be compared by = and !=, dates and numbers by all',
  ],
  [
    '{{#each items}} ... {{/each}}',
    'a section for each row of a table: {{price}} is the column of the row, {{row.index}} its number, {{#if row.first}} holds for the ' +
      'first and {{#if row.last}} for the last one',
  ],
  [
    '{{#group items by vat_rate}} ... {{/group}}',
    'a section for the rows with the same value: {{vat_rate}} is the value, {{sum(items.price)}} adds the rows of the group, and ' +
      '{{#table items}} and {{#each items}} print them',
  ],
  ['\\{{', 'two braces'],
];

/** A part of expressions. A test calculates the example. */
interface ExpressionPart {
  part: string;
  meaning: string;
  example: string;
  /** What kind of field the example can be calculated for. */
  gives: 'money' | 'number' | 'boolean' | 'date';
  result: string;
}

const part = (name: string, meaning: string, example: string, gives: ExpressionPart['gives'], result: string): ExpressionPart => ({
  part: name,
  meaning,
  example,
  gives,
  result,
});

export const EXPRESSIONS: readonly ExpressionPart[] = [
  part('+ - * / ( )', 'Exact decimals: 0.1 + 0.2 is 0.3. A quotient has up to 20 places.', '(price + 100) * 1.19', 'money', '1309'),
  part(
    '= != < <= > >=',
    'Comparisons of numbers, amounts and dates; texts, true and false only by = and !=.',
    'price >= 1000',
    'boolean',
    'true',
  ),
  part(
    'and or not',
    'Conditions. A field alone holds if it has a value.',
    'renews and not (price < 500 or price > 2000)',
    'boolean',
    'true',
  ),
  part(
    'round(x, places)',
    'Rounds half away from zero: to whole numbers without places, and amounts to minor units.',
    'round(price / 3, 0)',
    'money',
    '300',
  ),
  part('min(a, b), max(a, b)', 'The least or greatest of two or more values.', 'max(price, 2500)', 'money', '2500'),
  part('if(condition, a, b)', 'One of two values.', 'if(price >= 1000, 5, 0)', 'number', '5'),
  part('default(x, y)', 'Another value if x is missing.', 'price * (1 - default(discount_percent, 0) / 100)', 'money', '1000'),
  part('date + days, date - date', 'A later day, and the days between two.', 'due_on + 30', 'date', '2027-03-02'),
  part(
    'sum, avg, min, max, count',
    'Over the rows of a table: of a column, or of what is calculated in each row.',
    'sum(items.quantity * items.price)',
    'money',
    '5000',
  ),
  part('sum(... where ...)', 'Only over the rows that meet a condition.', 'count(items where vat_rate = 19)', 'number', '1'),
  part(
    'sum(... by column)',
    'Of what is calculated once for each group of rows, such as a tax that is rounded for each rate.',
    'sum(round(sum(items.price) * items.vat_rate / 100) by items.vat_rate)',
    'money',
    '450',
  ),
];

export const FIELD_KEYWORDS: readonly (readonly [keyword: string, value: string])[] = [
  ['x-label', 'Label for people, in forms and in the heads of tables. Without it, the name: start_on becomes "Start on".'],
  ['x-order', 'Number by which fields and columns are sorted; those without one come last, in the order in which they are written.'],
  ['x-format', 'What the value is beyond its type, see below. It is checked.'],
  [
    'x-currency',
    'For money: an ISO 4217 code, or the name of a string field next to it that holds the code; for a column also one of the document.',
  ],
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
  [
    'image',
    'string',
    'The reference that upload_document_image (POST .../papers/images) returns for a PNG, JPEG or WebP. Columns ' +
      'print it 28 mm wide and high at most.',
  ],
  ['ean13, ean8, upca', 'string', 'An article number with its check digit. Columns print it as a barcode.'],
  ['code128', 'string', 'Up to 32 characters of ASCII. Columns print them as a barcode.'],
];

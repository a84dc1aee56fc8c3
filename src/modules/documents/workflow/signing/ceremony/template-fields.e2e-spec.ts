import { expect, test } from '@jest/globals';
import { extractText, getDocumentProxy } from 'unpdf';
import { sharedMailApp } from '../../../../../../test/harness/hosted-app.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';

const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);

const TEMPLATE = `# Lease

Rent: {{#field rent party=customer kind=number label="Rent" decimals=2 min=1}} each month, which is
{{#field yearly party=customer kind=number label="Per year" decimals=2 calculated="rent * 12"}} a year.

| Item | Choice |
|---|---|
| Payment | {{#field pays party=customer kind=choice label="Pays" options="monthly: Every month, yearly: Every year"}} |

- {{#field pets party=customer kind=checkbox label="Has pets"}} has pets, namely
  {{#field animal party=customer label="Which animal" shown_when='pets and pays = "monthly"'}}

{{#field short party=customer kind=initials}} {{#field zip party=customer label="Post code" pattern="[0-9]{2}\\d{2,3}" optional}}

{{#if supplier = "Nobody"}}{{#field never party=customer label="Never"}}{{/if}}

{{#signature customer supplier}}

Fee: {{#field fee party=supplier kind=number label="Fee" calculated="round(yearly / 100, 0)"}}
`;

const textsOf = async (path: string) => {
  const pdf = new Uint8Array(await (await fetch(`${app.url}${path}/pdf`)).arrayBuffer());
  return (await extractText(await getDocumentProxy(pdf))).text.map((text) => text.replace(/\s+/g, ' '));
};

test('fields of a template are filled in by the parties, and printed where the template has them', async () => {
  const { id, customer, supplier } = await signing.sent([party('customer'), party('supplier', { order: 2 })], { template: TEMPLATE });
  const link = await signing.link(customer);
  const page = (await signing.visitor.get(link)).text;
  for (const key of ['rent', 'pays', 'pets', 'animal']) expect(page).toContain(`name="fields.${key}"`);
  for (const key of ['yearly', 'never', 'fee']) expect(page).not.toContain(`name="fields.${key}"`);
  const form = { 'fields.rent': '1,250.5', 'fields.pays': 'monthly', 'fields.pets': 'true', 'fields.never': 'x', 'fields.zip': '01' };
  const refused = await signing.sign(link, form);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Which animal: fill this in.')]);
  expect(refused.text).toContain('Post code:');
  expect((await signing.sign(link, { ...form, 'fields.animal': 'Cat $&', 'fields.zip': '01234' })).status).toBe(303);
  await signing.delivered(supplier);
  const next = await signing.link(supplier);
  expect((await signing.visitor.get(next)).text).toContain('value="150"');
  expect((await signing.sign(next, { typed_name: 'Grace Hopper' })).status).toBe(303);
  const [first] = await textsOf(next);
  for (const part of ['Rent:', '1250.50', '15006.00', 'Every month', '✓', 'Cat $&', 'AL', 'Ada Lovelace', '150'])
    expect(first).toContain(part);
  const text = (await signing.workflow.api.get(`/api/v1/ext/papers/documents/${id}/content?format=text`)).text;
  expect(text.replace(/\s+/g, ' ')).toContain('Rent: 1250.50 each month, which is 15006.00 a year.');
  expect(text).toContain('✓ has pets, namely Cat $&');
  const parties = (await signing.parties(id)).body.data as { evidence: { field_values: object } }[];
  expect(parties.map(({ evidence }) => evidence.field_values)).toEqual([
    { rent: '1250.50', yearly: '15006.00', pays: 'monthly', pets: 'true', animal: 'Cat $&', zip: '01234' },
    { fee: '150' },
  ]);
});

test.each([
  ['{{#field}}', 'a field needs a key'],
  ['{{#field Key party=customer}}', 'a field needs a key'],
  ['{{#field signature_1 party=customer label=A}}', 'signature_1 is the key of a place to sign'],
  ['{{#field a label=A}}', 'a field needs the party that fills it in: write party=customer'],
  ['{{#field a party=nobody label=A}}', 'nobody is not a party'],
  ['{{#field a party=customer kind=stamp}}', 'stamp is not a kind of field: initials, date, text'],
  ['{{#field a party=customer kind=signature}}', 'write {{#signature customer}}'],
  ['{{#field a party=customer label="A}}', '"A cannot be read'],
  ['{{#field a party=customer label=A colour=red}}', 'colour is not a rule of fields'],
  ['{{#field a party=customer label=A label=B}}', 'label is written twice'],
  ['{{#field a party=customer label}}', 'label needs a value'],
  ['{{#field a party=customer label=A required=yes}}', 'required has no value'],
  ['{{#field a party=customer label=A width=900}}', 'width must be a whole number from 5 to 150'],
  ['{{#field a party=customer label=A kind=list options="x, ,y"}}', 'options must be values'],
  ['{{#field a party=customer}}', 'label is required for the kind text'],
  ['{{#field a party=customer label=A pattern="(a"}}', 'pattern is not an RE2 regular expression'],
  ['{{#field a party=customer label=A kind=number calculated="b + 1"}}', 'calculated names b, which is not a field'],
  ['{{#field a party=customer label=A shown_when="b"}} {{#field b party=supplier label=B}}', 'shown_when names b, which supplier does not'],
  ['{{#field a party=customer label=A}} {{#field a party=supplier label=B}}', 'key is the key of an earlier field'],
  ['{{#each items}}{{#field a party=customer label=A}}{{/each}}', 'a field cannot stand in a section that is repeated'],
  ['[x]({{#field a party=customer label=A}})', 'a link address cannot contain a token'],
])('a type with %s is refused with the line', async (token, message) => {
  const text = { type: 'string' };
  const { status, body } = await signing.workflow.screen.post('/api/v1/org/papers/types', {
    code: `fields_${Date.now()}`,
    name: 'Fields',
    field_schema: {
      type: 'object',
      properties: {
        customer: text,
        customer_email: text,
        supplier: text,
        supplier_email: text,
        items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
      },
    },
    signature_parties: [party('customer'), party('supplier', { order: 2 })],
    template: `# Fields\n\nLine: ${token}\n`,
  });
  expect([status, body.error.param]).toEqual([400, 'template']);
  expect(body.error.message).toMatch(/^template line 3, column \d+, \{\{/);
  expect(body.error.message).toContain(message);
});

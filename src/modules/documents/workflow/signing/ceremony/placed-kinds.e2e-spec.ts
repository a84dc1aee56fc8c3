import { expect, test } from '@jest/globals';
import { extractText, getDocumentProxy } from 'unpdf';
import { sharedMailApp } from '../../../../../../test/harness/hosted-app.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';

const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);
const { workflow } = signing;

const box = (page: number, x: number, y: number) => ({ page, x, y, w: 0.03, h: 0.02 });
const FIELDS = [
  { key: 'sign', kind: 'signature', page: 2, y: 0.9 },
  { key: 'company', kind: 'text', label: 'Company', page: 1, y: 0.2, max_length: 20, pattern: String.raw`^\p{Lu}` },
  { key: 'persons', kind: 'number', label: 'Persons', page: 1, y: 0.25, min: '1', max: '12.5' },
  { key: 'mail', kind: 'email', label: 'Invoices to', page: 1, y: 0.3 },
  { key: 'moves_in', kind: 'entered_date', label: 'Moves in on', page: 1, y: 0.35, min: '2026-01-01', max: '2026-12-31' },
  { key: 'pets', kind: 'checkbox', label: 'Has pets', page: 1, y: 0.4, w: 0.03 },
  { key: 'garage', kind: 'checkbox', label: 'Rents the garage', page: 1, y: 0.45, w: 0.03, default: 'true' },
  { key: 'rules', kind: 'checkbox', label: 'House rules', page: 1, y: 0.5, w: 0.03, required: true },
  {
    key: 'pays',
    kind: 'choice',
    label: 'Pays',
    page: 1,
    y: 0.55,
    options: [
      { value: 'monthly', label: 'Every month', place: box(1, 0.1, 0.55) },
      { value: 'yearly', label: 'Every year', place: box(1, 0.3, 0.55) },
    ],
  },
  { key: 'floor', kind: 'list', label: 'Floor', page: 2, y: 0.2, options: [{ value: '0', label: 'Ground floor' }, { value: '1' }] },
  { key: 'note', kind: 'text', label: 'Note', page: 2, y: 0.3, required: false },
  { key: 'rent', kind: 'number', label: 'Rent', page: 2, y: 0.4, default: '1250.50', read_only: true },
];
const FILLED = {
  'fields.company': 'Łódź GmbH',
  'fields.persons': '2.50',
  'fields.mail': 'ada@example.com',
  'fields.moves_in': '2026-03-01',
  'fields.rules': 'true',
  'fields.pays': 'yearly',
  'fields.floor': '0',
  // the page has no control for it
  'fields.rent': '1',
};

test('every kind of field is checked when it is signed, printed, and in the evidence', async () => {
  const { id, customer } = await signing.sent([party('customer')], {}, null, FIELDS);
  const link = await signing.link(customer);
  const page = (await signing.visitor.get(link)).text;
  expect(page).toContain('name="fields.garage" value="true" checked');
  expect(page).not.toContain('name="fields.rent"');
  const wrong: [Record<string, string>, string][] = [
    [{ 'fields.company': 'small' }, 'Company: does not have the form that is asked for.'],
    [{ 'fields.company': 'A'.repeat(21) }, 'Company: at most 20 characters are possible.'],
    [{ 'fields.persons': 'two' }, 'Persons: enter a number, such as 1,250.5.'],
    [{ 'fields.persons': '0.99' }, 'Persons: must not be less than 1.'],
    [{ 'fields.persons': '12.51' }, 'Persons: must not be more than 12.5.'],
    [{ 'fields.mail': 'ada' }, 'Invoices to: enter an e-mail address, such as name@example.com.'],
    [{ 'fields.moves_in': '2026-02-30' }, 'Moves in on: enter a date, such as 2026-12-31.'],
    [{ 'fields.moves_in': '2027-01-01' }, 'Moves in on: must not be more than Dec 31, 2026.'],
    [{ 'fields.rules': '' }, 'House rules: tick this box.'],
    [{ 'fields.pays': 'never' }, 'Pays: choose one of the options.'],
    [{ 'fields.floor': '' }, 'Floor: choose one.'],
  ];
  for (const [change, text] of wrong) {
    const form = { ...FILLED, ...change };
    const [[key]] = Object.entries(change);
    const refused = await signing.sign(link, form);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(text)]);
    // what was entered is still there, and a cleared box stays clear
    expect(refused.text).not.toContain('name="fields.garage" value="true" checked');
    // the page learns the same while it is filled in
    const { fields } = (await signing.post(`${link}/fields`, form)).body as { fields: Record<string, { problem: string }> };
    expect(text).toMatch(new RegExp(`: ${fields[key.slice('fields.'.length)].problem}$`));
  }
  const signed = await signing.sign(link, FILLED);
  expect([signed.status, /<li><a.*/.exec(signed.text)?.[0]]).toEqual([303, undefined]);
  const sealed = Buffer.from(await (await fetch(`${app.url}${link}/pdf`)).arrayBuffer());
  const [first, second, certificate] = (await extractText(await getDocumentProxy(new Uint8Array(sealed)))).text;
  for (const part of ['Łódź GmbH', '2.50', 'ada@example.com', 'Mar 1, 2026']) expect(first).toContain(part);
  expect(first.match(/✓/g)).toHaveLength(2);
  for (const part of ['Ground floor', '1250.50', 'Ada Lovelace']) expect(second).toContain(part);
  expect(certificate.replace(/\s+/g, ' ')).toContain('Pays Every year');
  const [signer] = (await signing.parties(id)).body.data as { evidence: { field_values: object } }[];
  expect(signer.evidence.field_values).toEqual({
    company: 'Łódź GmbH',
    persons: '2.50',
    mail: 'ada@example.com',
    moves_in: '2026-03-01',
    pets: 'false',
    garage: 'false',
    rules: 'true',
    pays: 'yearly',
    floor: '0',
    rent: '1250.50',
  });
  expect((await signing.post(`${link}/fields`, FILLED)).status).toBe(404);
});

test('the rules of fields are checked when they are placed', async () => {
  const { code } = await workflow.type({
    field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
    signature_parties: [party('customer')],
  });
  const { id } = await workflow.draft(code, { title: 'Rules', data_values: {} });
  const place = await signing.uploaded(id);
  const placed = (field: object) => place([{ key: 'one', kind: 'text', label: 'One', page: 1, y: 0.1, ...field }]);
  const option = { value: 'a' };
  for (const [field, param, message] of [
    [{ label: null }, 'label', 'is required'],
    [{ kind: 'number', pattern: 'a' }, 'pattern', 'is only for the kinds text'],
    [{ kind: 'checkbox', max_length: 3 }, 'max_length', 'is only for'],
    [{ min: '1' }, 'min', 'is only for the kinds number, entered_date'],
    [{ options: [option] }, 'options', 'is only for the kinds choice, list'],
    [{ kind: 'signature', default: 'x' }, 'default', 'is only for'],
    [{ pattern: '(a' }, 'pattern', 'is not an RE2 regular expression'],
    [{ pattern: '(?=a)' }, 'pattern', 'is not an RE2 regular expression'],
    [{ read_only: true }, 'default', 'is required'],
    [{ kind: 'number', min: '1,5' }, 'min', 'must be a decimal number'],
    [{ kind: 'number', min: '2', max: '1' }, 'max', 'must be at least min'],
    [{ kind: 'entered_date', min: '1.2.2026' }, 'min', 'must be a day'],
    [{ kind: 'number', default: '5', max: '4' }, 'default', 'must be at most 4'],
    [{ kind: 'entered_date', default: '2026-02-29' }, 'default', 'must be a day'],
    [{ kind: 'checkbox', default: 'yes' }, 'default', 'must be written as true'],
    [{ kind: 'checkbox', default: 'false', required: true }, 'default', 'must be true'],
    [{ default: 'abc', pattern: '^[0-9]+$' }, 'default', 'must match the pattern'],
    [{ default: '0123456789'.repeat(20), w: 0.05, h: 0.01 }, 'default', 'is too long to be readable'],
    [{ default: 'Ꙁ\u{1F5F8}\u{E000}' }, 'default', 'has characters that cannot be printed'],
    [{ kind: 'list' }, 'options', 'must list'],
    [{ kind: 'choice', options: [option] }, 'options', 'must list'],
    [{ kind: 'list', options: [option, option] }, 'options.1.value', 'is the value of an earlier option'],
    [{ kind: 'list', options: [option], default: 'b' }, 'default', 'must be the value of one of the options'],
    [{ kind: 'list', options: [{ ...option, place: box(1, 0, 0) }] }, 'options.0.page', 'is only for'],
    [{ kind: 'choice', options: [{ ...option, place: box(1, 0, 0) }, { value: 'b' }] }, 'options.1.page', 'is required'],
    [{ kind: 'choice', options: [option, { value: 'b', place: box(3, 0, 0) }] }, 'options.0.page', 'is required'],
  ] as const) {
    const { status, body } = await placed(field);
    const { code: fault, param: at, message: text } = body.error;
    expect([field, status, fault, at, text]).toEqual([
      field,
      400,
      'validation_failed',
      `fields.0.${param}`,
      expect.stringContaining(message),
    ]);
  }
  expect((await placed({ pattern: '^(a|a)+$', default: 'aaa' })).status).toBe(200);
});

test('later signers and readers see what earlier ones have filled in and signed, before the seal', async () => {
  const { id, customer, supplier } = await signing.sent([party('customer'), party('supplier', { order: 2 })], {}, null, [
    { key: 'company', kind: 'text', label: 'Company', page: 1, y: 0.2 },
    { key: 'pets', kind: 'checkbox', label: 'Has pets', page: 1, y: 0.3, w: 0.03 },
    { key: 'sign', kind: 'signature', page: 1, y: 0.8 },
    { key: 'other', kind: 'signature', party: 'supplier', page: 1, y: 0.8, x: 0.55 },
  ]);
  const links = `/api/v1/org/papers/documents/${id}/share-links`;
  const { url } = (await workflow.screen.post(links, { expires_days: 1, allow_download: true })).body as { url: string };
  const share = new URL(url).pathname;
  const textOn = async (path: string) => {
    const text = await (await fetch(`${app.url}${path}/pages/1/text`)).text();
    return [...text.matchAll(/>([^<]+)<\/text>/g)].map(([, word]) => word.trim()).join(' ');
  };
  expect(await textOn(share)).not.toContain('Zürich AG');
  const first = await signing.link(customer);
  expect((await signing.sign(first, { 'fields.company': 'Zürich AG', 'fields.pets': 'true' })).status).toBe(303);
  await signing.delivered(supplier);
  const second = await signing.link(supplier);
  for (const path of [second, share, first]) {
    const shown = await textOn(path);
    for (const part of ['Lease of a flat', 'Zürich AG', '✓', 'Ada Lovelace'])
      expect([path, shown]).toEqual([path, expect.stringContaining(part)]);
    const page = (await signing.visitor.get(path)).text;
    expect(page).toContain('<p>Company: Zürich AG</p>');
    const pdf = Buffer.from(await (await fetch(`${app.url}${path}/pdf`)).arrayBuffer());
    expect((await extractText(await getDocumentProxy(new Uint8Array(pdf)))).text[0]).toContain('Zürich AG');
  }
  expect((await signing.sign(second, { typed_name: 'Grace Hopper' })).status).toBe(303);
  const sealed = await textOn(share);
  // once each
  for (const part of ['Zürich AG', 'Ada Lovelace', 'Grace Hopper']) expect(sealed.split(part)).toHaveLength(2);
});

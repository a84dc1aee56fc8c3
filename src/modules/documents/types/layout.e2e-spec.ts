import { describe, expect, it } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { poppler } from '../testing/poppler.js';
import { DOCUMENTS, WorkflowFixture } from '../testing/workflow-fixture.js';

const TYPES = '/api/v1/org/papers/types';
const FIELDS = {
  type: 'object',
  properties: {
    customer: { type: 'string' },
    email: { type: 'string' },
    price: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' },
  },
};
const workflow = await WorkflowFixture.open(await sharedApp());
const tools = poppler();

let count = 0;
const definition = (layout: object) => ({
  code: `layout_${(count += 1)}`,
  name: 'Layout',
  field_schema: FIELDS,
  signature_parties: [{ key: 'customer', label: 'Customer', name_from: 'customer', email_from: 'email' }],
  template: '# Offer\n\nFirst {{price}}\n\n{{#page_break}}\n\nSecond\n\n{{#signature customer}}',
  layout,
});

async function pdfOf(layout: object): Promise<Buffer> {
  const created = await workflow.screen.post(TYPES, definition(layout));
  expect(created.text).toContain('"object":"document_type"');
  await workflow.screen.post(`${TYPES}/${created.body.id}/publish`, {});
  const data_values = { customer: 'Ada {{page}}', email: 'ada@example.com', price: 123_450 };
  const { id } = await workflow.draft(created.body.code, { data_values });
  expect((await workflow.org(id, 'finalize')).status).toBe(200);
  const { body } = await workflow.api.get(`${DOCUMENTS}/${id}/content?format=pdf`);
  return body as Buffer;
}

describe('the pages of a type', () => {
  it('have its paper, margins and lines, with another first page', async () => {
    const layout = {
      paper: 'letter',
      landscape: true,
      margin_left_mm: 50,
      header: '{{document.title}} | | {{customer}}',
      footer: '{{page}} of {{ pages }}',
      first_header: 'First page',
      first_footer: '',
      currency: 'symbol',
    };
    const pdf = await pdfOf(layout);
    const pages = (await PDFDocument.load(pdf)).getPages().map((page) => page.getSize());
    expect(pages.map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual([
      [792, 612],
      [792, 612],
    ]);
    if (!tools) return;
    const [first, second] = tools.text(pdf).split('\f');
    expect(first).toMatch(/First €1,234\.50/);
    expect(first).toMatch(/First page/);
    expect(first).not.toMatch(/1 of 2|Agreement/);
    expect(second.replace(/\s+/g, ' ')).toMatch(/^Agreement Ada \{\{page\}\} Second .*2 of 2/);
  });

  it.each<[object, string, RegExp]>([
    [{ paper: 'custom', width_mm: 200 }, 'layout.height_mm', /is required for custom paper/],
    [{ width_mm: 200 }, 'layout.width_mm', /is only for custom paper/],
    [{ paper: 'a5', margin_left_mm: 100 }, 'layout.margin_left_mm', /must leave 53 mm of the width/],
    [{ margin_top_mm: 150, margin_bottom_mm: 120 }, 'layout.margin_top_mm', /must leave 53 mm of the height/],
    [{ margin_top_mm: 5 }, 'layout.margin_top_mm', /must be 15 or more/],
    [{ header: '{{nobody}}' }, 'layout.header', /has the token \{\{nobody\}\}: nobody is not a field of this type/],
    [{ footer: '{{#logo}}' }, 'layout.footer', /which is only for the text/],
    [{ footer: 'a|b|c|d' }, 'layout.footer', /can have 3 parts/],
    [{ header: '{{#field zip party=customer label=Zip pattern="[0-9]{4}"}}' }, 'layout.header', /which is only for the text/],
    [{ first_header: '{{price' }, 'layout.first_header', /is not closed/],
    [{ paper: 'a3' }, 'layout.paper', /one of a4/],
  ])('%j is refused', async (layout, param, message) => {
    const { status, body } = await workflow.screen.post(TYPES, definition(layout));
    expect([status, body.error.param, body.error.message]).toEqual([400, param, expect.stringMatching(message)]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';
import { accessibilityFaults, openBrowser, pageOf } from '../../../../test/harness/browser.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { DOCUMENTS, ORG_DOCUMENTS, WorkflowFixture } from '../testing/workflow-fixture.js';
import type { ApiResponse, Client } from '../../../../test/harness/client.js';
import { EXPRESSIONS, TOKENS } from './template-language.js';
import { TYPE_EXAMPLES } from './type-examples.js';

const TYPES = '/api/v1/org/papers/types';
const PAGE = '/docs/document-types';
const browser = await openBrowser();
const app = await sharedApp();
const workflow = await WorkflowFixture.open(app);
const admin = await workflow.space.member('admin');
const submitter = workflow.space.member('member').then(({ email }) => workflow.space.signIn(email));

function ok(response: ApiResponse): ApiResponse {
  if (response.status >= 300) throw new Error(`${response.status} ${response.text}`);
  return response;
}

async function publish(type: object): Promise<string> {
  const { id } = ok(await workflow.screen.post(TYPES, type)).body;
  ok(await workflow.screen.post(`${TYPES}/${id}/publish`, {}));
  return id;
}

async function upload(client: Client, path: string): Promise<void> {
  const pdf = await PDFDocument.create();
  pdf.addPage([595, 842]).drawText('Lease', { x: 60, y: 760 });
  const headers = { ...client.headers, 'content-type': 'application/pdf' };
  const { status } = await fetch(app.url + path, { method: 'PUT', headers, body: new Uint8Array(await pdf.save()) });
  expect(status).toBe(200);
}

test.each(TYPE_EXAMPLES.map((example) => [example.id, example] as const))('the example %s works as printed', async (_, example) => {
  const { type, document, placed } = example;
  await publish(type);
  const { id } = ok(await workflow.api.post(DOCUMENTS, { ...document, project_id: workflow.space.eng.id })).body;
  if (placed) {
    await upload(workflow.screen, `${ORG_DOCUMENTS}/${id}/file`);
    ok(await workflow.screen.put(`${ORG_DOCUMENTS}/${id}/file/fields`, placed));
  }
  ok(await workflow.org(id, 'submit', {}, await submitter));
  if (type.requires_approval) for (const approver of [admin, workflow.space.owner]) ok(await workflow.decide(id, 'APPROVE', approver));
  if ((await workflow.read(id)).state === 'approved') ok(await workflow.org(id, 'finalize'));
  expect((await workflow.read(id)).state).toBe('finalized');
  const { text } = ok(await workflow.api.get(`${DOCUMENTS}/${id}/content?format=html`));
  expect(text).not.toContain('{{');
  if (type.signature_parties) ok(await workflow.org(id, 'send'));
});

test('the page shows the examples that were sent, and every token that it lists is one of a template', async () => {
  const page = await fetch(app.url + PAGE);
  // without the colors of code
  const text = (await page.text()).replace(/<[^>]+>/g, '');
  expect(page.status).toBe(200);
  const escaped = (value: string) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
  for (const { type, document } of TYPE_EXAMPLES)
    for (const part of [type, document]) expect(text).toContain(escaped(JSON.stringify(part, null, 2)));
  const text_ = { type: 'string' };
  const price = { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' };
  const party = (key: string) => ({ key, label: key, name_from: 'customer', email_from: 'customer' });
  const columns = { price: { type: 'integer' }, vat_rate: { type: 'number' } };
  await publish({
    code: 'all_tokens',
    name: 'All tokens',
    field_schema: {
      type: 'object',
      properties: {
        customer: text_,
        iban: text_,
        currency: text_,
        price,
        renews: { type: 'boolean' },
        photo: { ...text_, 'x-format': 'image' },
        items: { type: 'array', items: { type: 'object', properties: columns } },
      },
    },
    signature_parties: [party('customer'), party('us')],
    template: TOKENS.map(([token]) => (token.startsWith('{{#columns}}') ? token.replaceAll(' ', '\n\n') : token)).join('\n\n'),
  });
});

test('the expressions that the page lists have the results that it shows', async () => {
  const money = { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' };
  const fields = { money, number: { type: 'number' }, boolean: { type: 'boolean' }, date: { type: 'string', format: 'date' } };
  const calculated = EXPRESSIONS.map(({ gives, example }, index) => [`r${index}`, { ...fields[gives], 'x-calculated': example }] as const);
  const columns = { quantity: { type: 'number' }, price: money, vat_rate: { type: 'number' } };
  const properties = {
    price: money,
    renews: { type: 'boolean' },
    discount_percent: { type: 'number' },
    due_on: { type: 'string', format: 'date' },
    items: { type: 'array', items: { type: 'object', properties: columns } },
    ...Object.fromEntries(calculated),
  };
  await publish({ code: 'all_expressions', name: 'All', field_schema: { type: 'object', properties } });
  const items = [
    { quantity: 2, price: 1_500, vat_rate: 19 },
    { quantity: 1, price: 2_000, vat_rate: 8.25 },
  ];
  const data_values = { price: 1_000, renews: true, due_on: '2027-01-31', items };
  const { body } = ok(
    await workflow.api.post(DOCUMENTS, { type_code: 'all_expressions', title: 'All', data_values, project_id: workflow.space.eng.id }),
  );
  expect(EXPRESSIONS.map((_, index) => String(body.data_values[`r${index}`]))).toEqual(EXPRESSIONS.map(({ result }) => result));
});

(browser ? describe : describe.skip)('in a browser', () => {
  test.each([360, 1280])('the page fits %i pixels and passes axe-core', async (width) => {
    const page = await pageOf(browser!, { viewport: { width, height: 740 } });
    await page.goto(app.url + PAGE);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (process.env.TEST_SCREENSHOTS) await page.screenshot({ path: `${process.env.TEST_SCREENSHOTS}/docs-${width}.png` });
    expect([overflow, await accessibilityFaults(page)]).toEqual([0, []]);
  });
});

/** The example of the request body of an operation, as the OpenAPI document of the product plane shows it. */
async function exampleOf(path: string): Promise<Record<string, unknown>> {
  const { paths } = (await (await fetch(`${app.url}/openapi.org.json`)).json()) as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { example: Record<string, unknown> }> } } }>;
  };
  return { ...paths[path].post.requestBody.content['application/json'].example, project_id: workflow.space.eng.id };
}

test('the OpenAPI examples of types and reports are accepted', async () => {
  const id = await publish(await exampleOf(TYPES));
  const { code } = ok(await workflow.screen.get(`${TYPES}/${id}`)).body;
  const document = { type_code: code, title: 'From the example', data_values: {}, project_id: workflow.space.eng.id };
  expect((await workflow.api.post(DOCUMENTS, document)).status).toBe(201);
  const report = ok(await workflow.screen.post('/api/v1/org/papers/reports', await exampleOf('/api/v1/org/papers/reports'))).body;
  expect((await workflow.screen.get(`/api/v1/org/papers/reports/${report.id}/data`)).status).toBe(200);
});

test('the reference names the rate limit of an operation that has one of its own', async () => {
  const sections = (await (await fetch(`${app.url}/docs/api/papers/documents.md`)).text()).split(/^## /m);
  const listing = ['remind_document', 'create_document'].map((tool) =>
    sections.find((section) => section.includes(`- Tool: \`${tool}\``))?.includes('- `rate_limited` (429)'),
  );
  expect(listing).toEqual([true, false]);
});

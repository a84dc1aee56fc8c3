import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { ownApp } from '../../../../../test/harness/hosted-app.js';
import { DOCUMENTS, ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';

const FIXTURE = 'src/modules/documents/testing/garage-app.ts';
const TYPES = '/api/v1/org/papers/types';
const app = await ownApp({}, { file: FIXTURE, name: 'createGarageApp' });
const { setVehicle, readTokens } = app.inside<typeof import('../../testing/garage-app.js')>(FIXTURE);
const workflow = await WorkflowFixture.open(app);

const TEMPLATE = `# Lease

{{garage.vehicle_name}} has {{garage.seats + 1}} places and was inspected on {{garage.inspected_on}}.

{{#if garage.is_electric}}

It is electric. "{{if(garage.vehicle_name = "garage.seats", "a", "b")}}"

{{/if}}`;
const VAN = { vehicle_name: 'Van 3', seats: 8, inspected_on: '2027-03-01', is_electric: true };

let count = 0;
const definition = (over: object = {}) => ({
  code: `lease_${(count += 1)}`,
  name: 'Lease',
  field_schema: { type: 'object', properties: { customer: { type: 'string' } } },
  template: TEMPLATE,
  ...over,
});

async function published(over: object = {}): Promise<string> {
  const { body } = await workflow.screen.post(TYPES, definition(over));
  expect((await workflow.screen.post(`${TYPES}/${body.id}/publish`, {})).text).toContain('"number":1');
  return body.code;
}

async function textOf(id: string): Promise<string> {
  const { text } = await workflow.api.get(`${DOCUMENTS}/${id}/content?format=html`);
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('a document with tokens of a module', () => {
  let code: string;

  beforeAll(async () => {
    code = await published();
  });

  it('has their values from when it was created or edited, whatever becomes of the source', async () => {
    await setVehicle('van-3', VAN);
    await readTokens();
    const { id } = await workflow.draft(code, { source_ref: 'van-3' });
    expect(await readTokens()).toEqual([['vehicle_name', 'seats', 'inspected_on', 'is_electric']]);
    const asRead = 'Van 3 has 9 places and was inspected on March 1, 2027. It is electric. "b"';
    expect(await textOf(id)).toContain(asRead);

    await setVehicle('van-3', { ...VAN, vehicle_name: 'Van 4', is_electric: false });
    expect(await textOf(id)).toContain(asRead);
    const { body } = await workflow.api.get(`${DOCUMENTS}/${id}`);
    expect(body.token_values).toEqual({
      'garage.vehicle_name': 'Van 3',
      'garage.seats': 8,
      'garage.inspected_on': '2027-03-01',
      'garage.is_electric': true,
    });

    const edited = await workflow.screen.patch(`${ORG_DOCUMENTS}/${id}`, { title: 'Lease of a van' });
    expect(edited.body.token_values).toMatchObject({ 'garage.vehicle_name': 'Van 4', 'garage.is_electric': false });
    expect(await textOf(id)).not.toContain('electric');
    await setVehicle('van-3', VAN);
    expect((await workflow.org(id, 'finalize')).status).toBe(200);
    expect(await textOf(id)).toContain('Van 4 has 9 places');
  });

  it('shows them in a dry run, and lines to fill in for those without a value', async () => {
    await setVehicle('van-5', { ...VAN, vehicle_name: 'Van 5' });
    const body = { type_code: code, title: 'Lease', data_values: {}, source_ref: { type: 'van', id: 'van-5' } };
    const tried = await workflow.api.post(DOCUMENTS, { ...body, project_id: workflow.space.eng.id }, { 'svc-dry-run': 'true' });
    expect(tried.body).toMatchObject({ dry_run: true, token_values: { 'garage.vehicle_name': 'Van 5' } });
    const { id } = await workflow.draft(code);
    expect(await textOf(id)).toContain('________ has ________ places and was inspected on ________.');
  });

  it('is refused if the module refuses it', async () => {
    const body = { type_code: code, title: 'Lease', data_values: {}, source_ref: 'boat-1', project_id: workflow.space.eng.id };
    const { status, body: answer } = await workflow.api.post(DOCUMENTS, body);
    expect([status, answer.error.param, answer.error.message]).toEqual([400, 'source_ref', 'source_ref is no vehicle of the garage']);
  });

  it('is refused while a value cannot be printed', async () => {
    await setVehicle('van-6', { ...VAN, vehicle_name: 'Van \u{10FFFD}' });
    const { id } = await workflow.draft(code, { source_ref: 'van-6' });
    const { status, body } = await workflow.submit(id);
    expect([status, body.error.param]).toEqual([400, 'token_values.garage.vehicle_name']);
  });
});

test('documents whose types print no tokens read none', async () => {
  const code = await published({ template: 'For {{customer}}, "{{if(customer = "garage.seats", "a", "b")}}" {{document.title}}' });
  await readTokens();
  await workflow.draft(code, { source_ref: 'boat-1' });
  expect(await readTokens()).toEqual([]);
});

test('a table of the type comes before a module of its name', async () => {
  const items = { type: 'array', items: { type: 'object', properties: { seats: { type: 'integer' } } } };
  const code = await published({
    field_schema: { type: 'object', properties: { garage: items } },
    template: '{{#each garage}}\n\nSeats {{garage.seats}}\n\n{{/each}}',
  });
  const { id } = await workflow.draft(code, { data_values: { garage: [{ seats: 4 }] }, source_ref: 'boat-1' });
  expect(await textOf(id)).toContain('Seats 4');
});

describe('a type', () => {
  it.each([
    [
      { template: 'Has {{garage.seat}}' },
      'template',
      /\{\{garage\.seat\}\}: garage\.seat is not a token of the module garage, which has garage\.veh/,
    ],
    [{ template: '{{#if garage.seats = "x"}}\n\nx\n\n{{/if}}' }, 'template', /garage\.seats can be compared with a number/],
    [{ layout: { header: '{{garage.plate}}' } }, 'layout.header', /garage\.plate is not a token of the module garage/],
    [{ template: 'Has {{boats.seats}}' }, 'template', /boats\.seats is not a field of this type/],
  ])('%j is refused', async (over, param, message) => {
    const { status, body } = await workflow.screen.post(TYPES, definition(over));
    expect([status, body.error.param, body.error.message]).toEqual([400, param, expect.stringMatching(message)]);
  });

  it('whose module was removed is refused for new documents', async () => {
    const { code } = await workflow.type({ template: 'Has {{boats.seats}}' });
    const body = { type_code: code, title: 'Lease', data_values: {}, project_id: workflow.space.eng.id };
    const { status, body: answer } = await workflow.api.post(DOCUMENTS, body);
    expect([status, answer.error.param, answer.error.message]).toEqual([
      400,
      'type_code',
      `type_code ${code} prints boats.seats, a token that no module has any more; publish a version without it`,
    ]);
  });
});

test('the page about templates lists the tokens', async () => {
  const { text } = await workflow.api.get('/docs/document-types');
  expect(text).toContain('{{garage.vehicle_name}}');
  expect(text).toContain('Name of the vehicle (Garage, text)');
});

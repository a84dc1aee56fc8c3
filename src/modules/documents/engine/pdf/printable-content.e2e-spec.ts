import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
let workflow: WorkflowFixture;

beforeAll(async () => {
  workflow = await WorkflowFixture.open(app);
});

const TYPES = '/api/v1/org/papers/types';
const FIELDS = {
  customer: { type: 'string' },
  note: { type: 'string' },
  items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
} as const;
const field_schema = { type: 'object', properties: FIELDS } as const;

it('text that needs further fonts is submitted and finalized once, although the change runs again after they were read', async () => {
  const { code } = await workflow.type({ field_schema });
  const { id } = await workflow.draft(code, { data_values: { customer: 'Nguyễn Thị Ánh' } });
  expect((await workflow.submit(id)).status).toBe(200);
  expect((await workflow.org(id, 'finalize')).status).toBe(200);
  const { rows } = await app.sql.query('SELECT action FROM document_audit_entries WHERE document_id = $1 ORDER BY created_at, id', [id]);
  expect(rows.map(({ action }: { action: string }) => action)).toEqual(['papers.create', 'papers.submit', 'papers.finalize']);
});

describe('characters that the fonts lack', () => {
  it('are replaced in a draft and rejected when the document is submitted, with an error for each field', async () => {
    const { code } = await workflow.type({ field_schema, template: 'For {{customer}}.\n\n{{#table items}}' });
    const { id } = await workflow.draft(code, {
      title: 'Vertrag 𓀀𓀁',
      data_values: { customer: '𓂀𓂁 𓂂𓂃 𓂄', items: [{ name: 'Żółć Ωμέγα Жук' }, { name: '𓆏' }], note: '𓂀 is not printed' },
    });
    expect((await workflow.api.get(`${DOCUMENTS}/${id}/content?format=pdf`)).status).toBe(200);
    const { status, body } = await workflow.submit(id);
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'validation_failed', param: 'title', message: 'title has characters that cannot be printed: 𓀀 𓀁' }),
    ]);
    expect(body.error.details.map(({ param, code: problem }: Record<string, string>) => `${param} ${problem}`)).toEqual([
      'title unprintable',
      'data_values.customer unprintable',
      'data_values.items.1.name unprintable',
    ]);
    expect(body.error.details[1].message).toContain('𓂀 𓂁 𓂂 𓂃 𓂄');
    expect((await workflow.read(id)).state).toBe('draft');
  });

  it('are rejected when the document is finalized, and nothing is frozen', async () => {
    const { code } = await workflow.type({ field_schema });
    const { id } = await workflow.draft(code, { data_values: { customer: 'Acme' } });
    await workflow.submit(id);
    await app.sql.query(`UPDATE documents SET data_values = '{"customer": "𓂀"}' WHERE id = $1`, [id]);
    const { status, body } = await workflow.org(id, 'finalize');
    expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'validation_failed', param: 'data_values.customer' })]);
    expect((await workflow.read(id)).state).toBe('approved');
    expect((await app.sql.query('SELECT 1 FROM document_renditions WHERE document_id = $1', [id])).rowCount).toBe(0);
  });

  it.each([
    ['template', { template: '# 𓀀𓀁\n\n{{customer}}' }],
    [
      'field_schema.properties.items.items.properties.name',
      {
        template: '{{#table items}}',
        field_schema: {
          type: 'object',
          properties: { items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', 'x-label': '𓊪' } } } } },
        },
      },
    ],
    ['field_schema', { field_schema: { type: 'object', properties: { customer: { type: 'string', 'x-label': '𓊪' } } } }],
  ])('prevent a type from being published: %s', async (param, given) => {
    const code = `unprintable_${param.length}_${Object.keys(given).length}`;
    const { body: type, text } = await workflow.screen.post(TYPES, { code, name: 'Agreement', field_schema, ...given });
    if (!type.id) throw new Error(text);
    const { status, body } = await workflow.screen.post(`${TYPES}/${type.id}/publish`);
    expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'validation_failed', param })]);
  });
});

describe('a document that is too long', () => {
  it('is rejected when it is read or submitted, and the error names the field', async () => {
    const { code } = await workflow.type({ field_schema });
    const { id } = await workflow.draft(code, { data_values: { customer: 'x'.repeat(300_001) } });
    const responses = [
      await workflow.submit(id),
      await workflow.api.get(`${DOCUMENTS}/${id}/content?format=pdf`),
      await workflow.api.get(`${DOCUMENTS}/${id}/content`),
    ];
    for (const { status, body } of responses)
      expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'validation_failed', param: 'data_values.customer' })]);
  });
});

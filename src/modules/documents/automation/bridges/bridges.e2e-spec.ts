import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../../test/harness/eventually.js';
import { ACME, FormFixture, FORMS } from '../../testing/form-fixture.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import type { RunBridge } from './run-bridge.job.js';

const app = await sharedApp();
let forms: FormFixture;

beforeEach(async () => {
  forms = await FormFixture.open(app);
});

describe('a bridge', () => {
  it('to leads matches like the lead webhook, once per submission', async () => {
    const { id, slug: to } = await forms.form();
    const { id: bridge_id } = await forms.bridge(id);
    await forms.send(to, ACME);
    await eventually(
      () => forms.runs(id),
      ({ length }) => length === 1,
    );
    await forms.send(to, { ...ACME, email: ' ADA@acme.example' });
    const [second, first] = await eventually(
      () => forms.runs(id),
      ({ length }) => length === 2,
    );
    const [lead, ...others] = await forms.leads();
    expect(first).toMatchObject({
      object: 'intake_bridge_run',
      bridge_id,
      status: 'completed',
      target: 'lead',
      result: 'created',
      record_id: lead.id,
      error: null,
    });
    expect(second).toMatchObject({ status: 'completed', result: 'matched', record_id: lead.id });
    expect([others, lead]).toEqual([
      [],
      expect.objectContaining({
        full_name: 'Acme',
        email: 'ada@acme.example',
        submission_count: 2,
        project_id: forms.workflow.space.eng.id,
      }),
    ]);
  });

  it('to tasks creates a task', async () => {
    const { id, slug: to } = await forms.form();
    const { screen } = forms.workflow;
    await screen.post('/api/v1/org/custom-fields', { resource: 'task', key: 'company', label: 'Company', type: 'text', required: true });
    const title = { path: 'answers.company' };
    const misspelt = { name: 'Tasks', target: 'task', field_map: { title, 'custom_fields.compani': 'answers.company' } };
    expect((await screen.post(`${FORMS}/${id}/bridges`, misspelt)).body.error).toMatchObject({
      param: 'field_map.custom_fields.compani',
      message: expect.stringContaining('did you mean company?'),
    });
    await forms.bridge(id, {
      target: 'task',
      field_map: { title, 'custom_fields.company': 'answers.company', description: 'answers.notes', priority: { const: 'high' } },
    });
    await forms.send(to, { ...ACME, notes: 'Please call.' });
    const [run] = await eventually(
      () => forms.runs(id),
      ({ length }) => length === 1,
    );
    const { client } = await forms.workflow.space.key({ module: 'tasks' });
    expect((await client.get(`/api/v1/ext/tasks/tasks/${run.record_id}`)).body).toMatchObject({
      title: 'Acme',
      description: 'Please call.',
      custom_fields: { company: 'Acme' },
      priority: 'high',
      project_id: forms.workflow.space.eng.id,
    });
  });

  it('to tickets opens a ticket of whoever filled in the form', async () => {
    const { id, slug: to } = await forms.form();
    await forms.bridge(id, {
      target: 'ticket',
      field_map: {
        subject: { path: 'answers.company' },
        message: 'answers.notes',
        requester_email: 'answers.email',
        tags: { const: ['form'] },
      },
    });
    await forms.send(to, { ...ACME, notes: 'Please call.' });
    const [run] = await eventually(
      () => forms.runs(id),
      ({ length }) => length === 1,
    );
    const { client } = await forms.workflow.space.key({ module: 'desk' });
    expect((await client.get(`/api/v1/ext/desk/tickets/${run.record_id}`)).body).toMatchObject({
      subject: 'Acme',
      requester: { email: 'ada@acme.example' },
      channel: 'form',
      tags: ['form'],
      status_category: 'new',
      project_id: forms.workflow.space.eng.id,
    });
  });

  it('that fails is recorded with the reason, and the others run', async () => {
    const { id, slug: to } = await forms.form();
    const bad = await forms.bridge(id, { field_map: { full_name: 'answers.company', email: 'answers.notes' } });
    const worse = await forms.bridge(id, {
      field_map: { full_name: 'answers.company', email: 'answers.email', source_id: 'answers.company' },
    });
    await forms.bridge(id, { active: false });
    const good = await forms.bridge(id);
    await forms.send(to, ACME);
    const all = await eventually(
      () => forms.runs(id),
      ({ length }) => length >= 3,
    );
    expect(all).toHaveLength(3);
    const byBridge = Object.fromEntries(all.map((run) => [run.bridge_id, run]));
    expect(byBridge[bad.id]).toMatchObject({ status: 'failed', error: 'email or phone is required', record_id: null, result: null });
    expect(byBridge[worse.id]).toMatchObject({ status: 'failed', error: 'source_id must be a UUID' });
    expect(byBridge[good.id].status).toBe('completed');
    expect(await forms.leads()).toHaveLength(1);
  });

  it('that lacks a required field because the forms.visitor left it blank is a failed run, and no job fails', async () => {
    const { id, slug: to } = await forms.form();
    const { id: task } = await forms.bridge(id, { target: 'task', field_map: { title: 'answers.notes' } });
    const { id: lead } = await forms.bridge(id, {
      field_map: { first_name: 'answers.notes', last_name: 'answers.company', email: 'answers.email' },
    });
    await forms.send(to, { ...ACME, notes: '' });
    await forms.send(to, { ...ACME, notes: '   ' });
    const all = await eventually(
      () => forms.runs(id),
      ({ length }) => length >= 4,
    );
    const errors = (bridgeId: string) => all.filter(({ bridge_id }) => bridge_id === bridgeId).map(({ status, error }) => [status, error]);
    expect(errors(task)).toEqual([
      ['failed', 'title is required'],
      ['failed', 'title is required'],
    ]);
    expect(errors(lead)).toEqual([
      ['failed', 'full_name is required, or first_name and last_name'],
      ['failed', 'full_name is required, or first_name and last_name'],
    ]);
    const { rows } = await app.sql.query(`SELECT attempts, last_error FROM jobs WHERE payload ->> 'bridge_id' IN ($1, $2)`, [task, lead]);
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).toMatchObject({ last_error: null });
  });

  it('runs once, even if its job is delivered repeatedly and concurrently', async () => {
    const { id, slug: to } = await forms.form();
    const { id: bridge_id } = await forms.bridge(id, { target: 'task', field_map: { title: 'answers.company' } });
    await forms.send(to, ACME);
    const [run] = await eventually(
      () => forms.runs(id),
      ({ length }) => length === 1,
    );
    const { rows } = await app.sql.query(`SELECT payload FROM jobs WHERE name = 'documents.run_bridge' AND payload ->> 'bridge_id' = $1`, [
      bridge_id,
    ]);
    await Promise.all([1, 2].map(() => app.service<RunBridge>('RunBridge').run(forms.workflow.space.ctx(), rows[0].payload)));
    expect(await forms.runs(id)).toEqual([run]);
  });

  it('is rejected if it could never create a record', async () => {
    const { id } = await forms.form();
    const errorOf = async (over: object) =>
      (
        await forms.workflow.screen.post(`${FORMS}/${id}/bridges`, {
          name: 'x',
          target: 'lead',
          field_map: { full_name: 'answers.company', email: 'answers.email' },
          ...over,
        })
      ).body.error;
    expect(await errorOf({ field_map: { full_name: 'answers.company' } })).toMatchObject({
      param: 'field_map',
      message: 'field_map must fill email or phone',
    });
    expect(await errorOf({ target: 'task', field_map: { description: 'answers.notes' } })).toMatchObject({
      param: 'field_map',
      message: 'field_map must fill title',
    });
    expect(await errorOf({ target: 'task', field_map: { title: { const: ' ' } } })).toMatchObject({
      param: 'field_map.title',
      message: 'field_map.title must not be blank',
    });
    expect(await errorOf({ target: 'task' })).toMatchObject({
      param: 'field_map.full_name',
      allowed: expect.arrayContaining(['title', 'due_on']),
    });
    expect(await errorOf({ field_map: { full_name: 'a', email: 'b', project_id: { const: forms.workflow.space.ops.id } } })).toMatchObject({
      param: 'field_map.project_id',
    });
    const unknown = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e97';
    const { client: tasks } = await forms.workflow.space.key({ module: 'tasks', mode: 'live' });
    const task = async (project: { id: string }) =>
      (await tasks.post('/api/v1/ext/tasks/tasks', { project_id: project.id, title: 'Suppliers' })).body;
    const [parent, elsewhere] = [await task(forms.workflow.space.eng), await task(forms.workflow.space.ops)];
    const lead = { full_name: 'answers.company', email: 'answers.email' };
    const faults: [param: string, field_map: object, target?: string][] = [
      ['field_map.email', { ...lead, email: 'answers.mail' }],
      ['field_map.email', { ...lead, email: 'answer.email' }],
      ['field_map.full_name', { ...lead, full_name: 'answers' }],
      ['field_map.consent_email', { ...lead, consent_email: 'answers.notes' }],
      ['field_map.email', { ...lead, email: { const: 'nobody' } }],
      ['field_map', { full_name: 'answers.company', phone: { const: 'n/a' } }],
      ['field_map.source_id', { ...lead, source_id: { path: 'answers.notes', default: 'web' } }],
      ['field_map.source_id', { ...lead, source_id: { const: unknown } }],
      ['field_map.status_id', { ...lead, status_id: { const: unknown } }],
      ['field_map.custom_fields.gone', { ...lead, 'custom_fields.gone': 'answers.notes' }],
      ['field_map.status_id', { title: 'answers.company', status_id: { const: unknown } }, 'task'],
      ['field_map.assignee_ids', { title: 'answers.company', assignee_ids: 'answers.notes' }, 'task'],
      ['field_map.assignee_ids', { title: 'answers.company', assignee_ids: { const: [unknown] } }, 'task'],
      ['field_map.label_ids', { title: 'answers.company', label_ids: { const: [unknown] } }, 'task'],
      ['field_map.due_on', { title: 'answers.company', due_on: { const: 'soon' } }, 'task'],
      ['field_map.due_on', { title: 'answers.company', due_on: 'answers.notes' }, 'task'],
      ['field_map.due_on', { title: 'answers.company', due_on: 'answers.email' }, 'task'],
      ['field_map.due_on', { title: 'answers.company', due_on: { path: 'answers.email', transform: 'date' } }, 'task'],
      ['field_map.due_on', { title: 'answers.company', due_on: 'created_at' }, 'task'],
      ['field_map.due_on', { title: 'answers.company', due_on: { const: '2026-11-01' }, start_on: { const: '2026-11-02' } }, 'task'],
      ['field_map.parent_id', { title: 'answers.company', parent_id: { const: unknown } }, 'task'],
      ['field_map.parent_id', { title: 'answers.company', parent_id: { const: 'ENG-999999' } }, 'task'],
      ['field_map.parent_id', { title: 'answers.company', parent_id: { const: elsewhere.id } }, 'task'],
    ];
    const created = { path: 'created_at', transform: 'date' };
    await forms.bridge(id, { target: 'task', field_map: { title: 'answers.company', due_on: created, parent_id: { const: parent.key } } });
    for (const [param, field_map, target = 'lead'] of faults)
      expect([field_map, await errorOf({ target, field_map })]).toMatchObject([field_map, { code: 'validation_failed', param }]);
    expect(await errorOf({ target: 'invoice' })).toMatchObject({ param: 'target' });
  });

  it('is changed and deleted only under its own form', async () => {
    const { id } = await forms.form();
    const { id: other } = await forms.form();
    const made = await forms.bridge(id);
    expect(
      (await forms.workflow.screen.patch(`${FORMS}/${id}/bridges/${made.id}`, { field_map: { phone: 'answers.notes', email: null } })).body
        .field_map,
    ).toEqual({ full_name: 'answers.company', phone: 'answers.notes' });
    expect((await forms.workflow.screen.patch(`${FORMS}/${other}/bridges/${made.id}`, { name: 'x' })).status).toBe(404);
    expect((await forms.workflow.screen.delete(`${FORMS}/${other}/bridges/${made.id}`)).status).toBe(404);
    expect((await forms.workflow.screen.delete(`${FORMS}/${id}/bridges/${made.id}`)).status).toBe(204);
    expect((await forms.workflow.screen.get(`${FORMS}/${id}/bridges`)).body.data).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/kit/hosted-app.js';
import { Client } from '../../../../../test/kit/client.js';
import { eventually } from '../../../../../test/kit/eventually.js';
import { WorkflowFixture } from '../../../../../test/kit/workflow-fixture.js';
import type { RunBridge } from '../bridges/run-bridge.job.js';

const FORMS = '/api/v1/org/papers/forms';
const FIELDS = {
  type: 'object',
  required: ['company', 'email'],
  properties: {
    company: { type: 'string', 'x-label': 'Company', 'x-order': 1 },
    email: { type: 'string', format: 'email', 'x-label': 'E-mail', 'x-order': 2 },
    notes: { type: 'string', maxLength: 2000, 'x-order': 3 },
  },
};

const app = await sharedApp();
let workflow: WorkflowFixture;
let visitor: Client;

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  visitor = new Client(app.url, { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' });
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test asserts the fields instead of declaring them
type Loose = any;
const slug = () => `form-${randomUUID().slice(0, 8)}`;
async function form(over: object = {}): Promise<Loose> {
  const { status, body, text } = await workflow.screen.post(FORMS, {
    slug: slug(),
    title: 'Become our supplier',
    fields: FIELDS,
    project_id: workflow.space.eng.id,
    ...over,
  });
  if (status !== 201) throw new Error(text);
  return body;
}
async function bridge(formId: string, over: object = {}): Promise<Loose> {
  const { status, body, text } = await workflow.screen.post(`${FORMS}/${formId}/bridges`, {
    name: 'Leads',
    target: 'lead',
    field_map: { full_name: 'answers.company', email: 'answers.email' },
    ...over,
  });
  if (status !== 201) throw new Error(text);
  return body;
}
const send = (to: string, answers: Record<string, string>, over: Record<string, string> = {}, from = visitor) =>
  from.post(
    `/f/${to}`,
    new URLSearchParams({
      ...Object.fromEntries(Object.entries(answers).map(([name, value]) => [`answers.${name}`, value])),
      token: randomUUID(),
      ...over,
    }).toString(),
  );
const ACME = { company: 'Acme', email: 'ada@acme.example' };
const submissions = async (id: string): Promise<Loose[]> => (await workflow.screen.get(`${FORMS}/${id}/submissions`)).body.data;
const runs = async (id: string): Promise<Loose[]> => (await workflow.screen.get(`${FORMS}/${id}/bridge-runs`)).body.data;
const leads = async (): Promise<Loose[]> =>
  (await (await workflow.space.key({ module: 'crm' })).client.get('/api/v1/ext/crm/leads?sort=created_at')).body.data;

describe('the page of a form', () => {
  it('shows the fields, loads nothing external and runs no script', async () => {
    const made = await form({ description: 'It takes <five> minutes.\n\nHonestly.' });
    const { status, headers, text } = await visitor.get(`/f/${made.slug}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'self' 'nonce-[^']+'; form-action 'self'/),
    });
    expect(text).toContain('<p>It takes &lt;five&gt; minutes.</p>');
    expect([...text.matchAll(/ name="(answers\.[^"]+)"/g)].map(([, name]) => name)).toEqual([
      'answers.company',
      'answers.email',
      'answers.notes',
    ]);
    expect(text).toContain('<label for="f-company">Company</label>');
    expect(text).not.toContain('<script');
    expect(made.url).toBe(`${app.url}/f/${made.slug}`);
  });

  it('is 404 for a form that is unknown, closed, or of an archived project', async () => {
    const { id, slug: closed } = await form();
    await workflow.screen.patch(`${FORMS}/${id}`, { active: false });
    const { slug: archived } = await form({ project_id: workflow.space.ops.id });
    await app.sql.query(`UPDATE projects SET status = 'archived' WHERE id = $1`, [workflow.space.ops.id]);
    for (const path of ['/f/no-such-form', `/f/${closed}`, `/f/${closed}/thanks`, `/f/${archived}`, '/f/%00', '/f/UPPER'])
      expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
    expect((await send(closed, ACME)).status).toBe(404);
    expect(await submissions(id)).toEqual([]);
  });

  it('shows each problem next to its field and keeps the input, escaped', async () => {
    const { id, slug: to } = await form();
    const { status, text } = await send(to, { email: '"><script>alert(1)</script>', notes: 'Long\r\nstory' });
    expect(status).toBe(400);
    expect(text).toContain('<title>Not sent yet: Become our supplier - ');
    expect(text).toContain('<li><a href="#f-company">Company is required.</a></li>');
    expect(text).toMatch(
      new RegExp(
        '<p class="error" id="f-email-error">E-mail must be an e-mail address\\.</p><input type="email" ' +
          '[^>]*value="&quot;&gt;&lt;script&gt;alert\\(1\\)&lt;/script&gt;"[^>]* aria-invalid="true" aria-describedby="f-email-error"',
      ),
    );
    expect(text).toContain('>\nLong\r\nstory</textarea>');
    expect(await submissions(id)).toEqual([]);
  });
});

describe('a submission', () => {
  it('is stored, confirmed, and emitted as an event to the triggers of its project', async () => {
    const made = await form({ success_message: 'We will write to you.' });
    const type = await workflow.type({
      field_schema: { type: 'object', required: ['company'], properties: { company: { type: 'string' } } },
    });
    const trigger = await workflow.screen.post('/api/v1/org/developer/triggers', {
      name: 'Intake',
      event_type: 'form.submitted',
      document_type_id: type.id,
      title_template: '{{form.title}}: {{answers.company}}',
      source_map: { company: 'form.answers.company' },
    });
    expect(trigger.status).toBe(201);
    const sent = await send(made.slug, ACME);
    expect([sent.status, sent.headers.location]).toEqual([303, `/f/${made.slug}/thanks`]);
    expect((await visitor.get(sent.headers.location)).text).toContain('We will write to you.');
    const [submission] = await submissions(made.id);
    expect(submission).toMatchObject({
      object: 'form_submission',
      form: { id: made.id, slug: made.slug, title: 'Become our supplier' },
      project_id: workflow.space.eng.id,
      answers: ACME,
      submitted_at: expect.any(String),
    });
    const [document] = await eventually(
      async () => (await workflow.api.get('/api/v1/ext/papers/documents')).body.data,
      ({ length }) => length > 0,
    );
    expect(document).toMatchObject({
      title: 'Become our supplier: Acme',
      data_values: { company: 'Acme' },
      source_ref: { type: 'form.submitted', id: submission.id },
      created_by: { type: 'system' },
    });
    // a job made the document
    expect(
      (
        await app.sql.query(
          `SELECT body::jsonb #> '{request,id}' AS request FROM outbox_events WHERE type = 'paper.created' AND organization_id = $1`,
          [workflow.space.organizationId],
        )
      ).rows,
    ).toEqual([{ request: null }]);
    // the event stays internal
    const { rows } = await app.sql.query(
      `SELECT internal, body::jsonb -> 'actor' AS actor, body::jsonb #>> '{request,id}' AS request FROM outbox_events
       WHERE type = 'form.submitted' AND organization_id = $1`,
      [workflow.space.organizationId],
    );
    expect(rows).toEqual([
      { internal: true, actor: { type: 'guest', id: null, email: 'ada@acme.example' }, request: sent.headers['request-id'] },
    ]);
  });

  it('sent twice from the same page counts once, even concurrently', async () => {
    const { id, slug: to } = await form();
    const token = randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => send(to, ACME, { token })));
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await submissions(id)).toHaveLength(1);
  });

  it('by a bot that fills in the honeypot is confirmed and discarded', async () => {
    const { id, slug: to } = await form();
    expect((await send(to, ACME, { website: 'https://spam.example' })).status).toBe(303);
    expect(await submissions(id)).toEqual([]);
  });

  it('with a huge value is rejected by a page that repeats little of it', async () => {
    const { slug: to } = await form();
    const { status, text } = await send(to, { ...ACME, company: 'b'.repeat(450_000), notes: 'a'.repeat(450_000) });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(30_000);
    // still too long, so that nothing is cut unnoticed
    expect(text).toContain(`\n${'a'.repeat(2001)}</textarea>`);
  });

  it('beyond ten from one address, or one IPv6 network, in ten minutes is rejected, and the page keeps the input', async () => {
    const { id, slug: to } = await form();
    const guest = (number: number) =>
      new Client(app.url, { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': `2001:db8:5:6::${number}` });
    for (let count = 0; count < 10; count++) expect((await send(to, ACME, {}, guest(count))).status).toBe(303);
    const { status, headers, text } = await send(to, ACME, {}, guest(10));
    expect([status, headers['retry-after']]).toEqual([429, '600']);
    expect(text).toContain('value="ada@acme.example"');
    expect(await submissions(id)).toHaveLength(10);
    const { slug: other } = await form();
    expect((await send(other, ACME)).status).toBe(303);
  });
});

describe('a bridge', () => {
  it('to leads matches like the lead webhook, once per submission', async () => {
    const { id, slug: to } = await form();
    const { id: bridge_id } = await bridge(id);
    await send(to, ACME);
    await eventually(
      () => runs(id),
      ({ length }) => length === 1,
    );
    await send(to, { ...ACME, email: ' ADA@acme.example' });
    const [second, first] = await eventually(
      () => runs(id),
      ({ length }) => length === 2,
    );
    const [lead, ...others] = await leads();
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
      expect.objectContaining({ full_name: 'Acme', email: 'ada@acme.example', submission_count: 2, project_id: workflow.space.eng.id }),
    ]);
  });

  it('to tasks creates a task', async () => {
    const { id, slug: to } = await form();
    await bridge(id, {
      target: 'task',
      field_map: { title: { path: 'answers.company' }, description: 'answers.notes', priority: { const: 'high' } },
    });
    await send(to, { ...ACME, notes: 'Please call.' });
    const [run] = await eventually(
      () => runs(id),
      ({ length }) => length === 1,
    );
    const { client } = await workflow.space.key({ module: 'tasks' });
    expect((await client.get(`/api/v1/ext/tasks/tasks/${run.record_id}`)).body).toMatchObject({
      title: 'Acme',
      description: 'Please call.',
      priority: 'high',
      project_id: workflow.space.eng.id,
    });
  });

  it('to tickets opens a ticket of whoever filled in the form', async () => {
    const { id, slug: to } = await form();
    await bridge(id, {
      target: 'ticket',
      field_map: {
        subject: { path: 'answers.company' },
        message: 'answers.notes',
        requester_email: 'answers.email',
        tags: { const: ['form'] },
      },
    });
    await send(to, { ...ACME, notes: 'Please call.' });
    const [run] = await eventually(
      () => runs(id),
      ({ length }) => length === 1,
    );
    const { client } = await workflow.space.key({ module: 'desk' });
    expect((await client.get(`/api/v1/ext/desk/tickets/${run.record_id}`)).body).toMatchObject({
      subject: 'Acme',
      requester: { email: 'ada@acme.example' },
      channel: 'form',
      tags: ['form'],
      status_category: 'new',
      project_id: workflow.space.eng.id,
    });
  });

  it('that fails is recorded with the reason, and the others run', async () => {
    const { id, slug: to } = await form();
    const bad = await bridge(id, { field_map: { full_name: 'answers.company', email: 'answers.notes' } });
    const worse = await bridge(id, {
      field_map: { full_name: 'answers.company', email: 'answers.email', source_id: 'answers.company' },
    });
    await bridge(id, { active: false });
    const good = await bridge(id);
    await send(to, ACME);
    const all = await eventually(
      () => runs(id),
      ({ length }) => length >= 3,
    );
    expect(all).toHaveLength(3);
    const byBridge = Object.fromEntries(all.map((run) => [run.bridge_id, run]));
    expect(byBridge[bad.id]).toMatchObject({ status: 'failed', error: 'email or phone is required', record_id: null, result: null });
    expect(byBridge[worse.id]).toMatchObject({ status: 'failed', error: 'source_id must be a UUID' });
    expect(byBridge[good.id].status).toBe('completed');
    expect(await leads()).toHaveLength(1);
  });

  it('that lacks a required field because the visitor left it blank is a failed run, and no job fails', async () => {
    const { id, slug: to } = await form();
    const { id: task } = await bridge(id, { target: 'task', field_map: { title: 'answers.notes' } });
    const { id: lead } = await bridge(id, {
      field_map: { first_name: 'answers.notes', last_name: 'answers.company', email: 'answers.email' },
    });
    await send(to, { ...ACME, notes: '' });
    await send(to, { ...ACME, notes: '   ' });
    const all = await eventually(
      () => runs(id),
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
    const { id, slug: to } = await form();
    const { id: bridge_id } = await bridge(id, { target: 'task', field_map: { title: 'answers.company' } });
    await send(to, ACME);
    const [run] = await eventually(
      () => runs(id),
      ({ length }) => length === 1,
    );
    const { rows } = await app.sql.query(`SELECT payload FROM jobs WHERE name = 'documents.run_bridge' AND payload ->> 'bridge_id' = $1`, [
      bridge_id,
    ]);
    await Promise.all([1, 2].map(() => app.service<RunBridge>('RunBridge').run(workflow.space.ctx(), rows[0].payload)));
    expect(await runs(id)).toEqual([run]);
  });

  it('is rejected if it could never create a record', async () => {
    const { id } = await form();
    const errorOf = async (over: object) =>
      (
        await workflow.screen.post(`${FORMS}/${id}/bridges`, {
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
    expect(await errorOf({ field_map: { full_name: 'a', email: 'b', project_id: { const: workflow.space.ops.id } } })).toMatchObject({
      param: 'field_map.project_id',
    });
    const unknown = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e97';
    const { client: tasks } = await workflow.space.key({ module: 'tasks', mode: 'live' });
    const task = async (project: { id: string }) =>
      (await tasks.post('/api/v1/ext/tasks/tasks', { project_id: project.id, title: 'Suppliers' })).body;
    const [parent, elsewhere] = [await task(workflow.space.eng), await task(workflow.space.ops)];
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
    await bridge(id, { target: 'task', field_map: { title: 'answers.company', due_on: created, parent_id: { const: parent.key } } });
    for (const [param, field_map, target = 'lead'] of faults)
      expect([field_map, await errorOf({ target, field_map })]).toMatchObject([field_map, { code: 'validation_failed', param }]);
    expect(await errorOf({ target: 'invoice' })).toMatchObject({ param: 'target' });
  });

  it('is changed and deleted only under its own form', async () => {
    const { id } = await form();
    const { id: other } = await form();
    const made = await bridge(id);
    expect(
      (await workflow.screen.patch(`${FORMS}/${id}/bridges/${made.id}`, { field_map: { phone: 'answers.notes', email: null } })).body
        .field_map,
    ).toEqual({ full_name: 'answers.company', phone: 'answers.notes' });
    expect((await workflow.screen.patch(`${FORMS}/${other}/bridges/${made.id}`, { name: 'x' })).status).toBe(404);
    expect((await workflow.screen.delete(`${FORMS}/${other}/bridges/${made.id}`)).status).toBe(404);
    expect((await workflow.screen.delete(`${FORMS}/${id}/bridges/${made.id}`)).status).toBe(204);
    expect((await workflow.screen.get(`${FORMS}/${id}/bridges`)).body.data).toEqual([]);
  });
});

describe('managing forms', () => {
  it('creates, changes and deletes them; one with submissions cannot be deleted', async () => {
    const made = await form();
    expect(made).toMatchObject({ object: 'intake_form', active: true, description: null, success_message: null });
    expect((await workflow.screen.patch(`${FORMS}/${made.id}`, { title: 'New', description: 'Text' })).body).toMatchObject({
      title: 'New',
      description: 'Text',
      version: 2,
    });
    const submitted = await form();
    await send(submitted.slug, ACME);
    expect((await workflow.screen.delete(`${FORMS}/${submitted.id}`)).body.error).toMatchObject({ code: 'resource_conflict' });
    expect((await workflow.screen.delete(`${FORMS}/${made.id}`)).status).toBe(204);
    expect((await workflow.screen.get(FORMS)).body.data.map(({ id }: Loose) => id)).toEqual([submitted.id]);
  });

  it('rejects a slug that is taken in any organization, and fields that no form can show', async () => {
    const made = await form();
    const other = await WorkflowFixture.open(app);
    const body = { slug: made.slug, title: 'x', fields: FIELDS, project_id: other.space.eng.id };
    expect((await other.screen.post(FORMS, body)).body.error).toMatchObject({ code: 'duplicate', param: 'slug' });
    expect(
      (await other.screen.post(FORMS, { ...body, slug: slug(), fields: { type: 'object', properties: { a: { type: 'object' } } } })).body
        .error,
    ).toMatchObject({ code: 'validation_failed', param: 'fields.properties.a.type' });
    expect((await other.screen.post(FORMS, { ...body, slug: slug(), project_id: workflow.space.eng.id })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'project_id',
    });
    expect((await other.screen.get(`${FORMS}/${made.id}/submissions`)).status).toBe(404);
    const member = await workflow.space.signIn((await workflow.space.member('member')).email);
    expect([(await member.post(FORMS, body)).status, (await member.get(`${FORMS}/${made.id}/submissions`)).status]).toEqual([403, 200]);
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../../../../../test/harness/client.js';
import { eventually } from '../../../../../test/harness/eventually.js';
import { ACME, FORM_FIELDS, FormFixture, FORMS, formSlug } from '../../testing/form-fixture.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
let forms: FormFixture;

beforeEach(async () => {
  forms = await FormFixture.open(app);
});

describe('the page of a form', () => {
  it('shows the fields, loads nothing external and runs no script', async () => {
    const made = await forms.form({ description: 'It takes <five> minutes.\n\nHonestly.' });
    const { status, headers, text } = await forms.visitor.get(`/f/${made.slug}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'self' 'nonce-[^']+'; font-src 'self'; form-action 'self'/,
      ),
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
    const { id, slug: closed } = await forms.form();
    await forms.workflow.screen.patch(`${FORMS}/${id}`, { active: false });
    const { slug: archived } = await forms.form({ project_id: forms.workflow.space.ops.id });
    await app.sql.query(`UPDATE projects SET status = 'archived' WHERE id = $1`, [forms.workflow.space.ops.id]);
    for (const path of ['/f/no-such-form', `/f/${closed}`, `/f/${closed}/thanks`, `/f/${archived}`, '/f/%00', '/f/UPPER'])
      expect([path, (await forms.visitor.get(path)).status]).toEqual([path, 404]);
    expect((await forms.send(closed, ACME)).status).toBe(404);
    expect(await forms.submissions(id)).toEqual([]);
  });

  it('shows each problem next to its field and keeps the input, escaped', async () => {
    const { id, slug: to } = await forms.form();
    const { status, text } = await forms.send(to, { email: '"><script>alert(1)</script>', notes: 'Long\r\nstory' });
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
    expect(await forms.submissions(id)).toEqual([]);
  });
});

describe('a submission', () => {
  it('is stored, confirmed, and emitted as an event to the triggers of its project', async () => {
    const made = await forms.form({ success_message: 'We will write to you.' });
    const type = await forms.workflow.type({
      field_schema: { type: 'object', required: ['company'], properties: { company: { type: 'string' } } },
    });
    const trigger = await forms.workflow.screen.post('/api/v1/org/developer/triggers', {
      name: 'Intake',
      event_type: 'form.submitted',
      document_type_id: type.id,
      title_template: '{{form.title}}: {{answers.company}}',
      source_map: { company: 'form.answers.company' },
    });
    expect(trigger.status).toBe(201);
    const sent = await forms.send(made.slug, ACME);
    expect([sent.status, sent.headers.location]).toEqual([303, `/f/${made.slug}/thanks`]);
    expect((await forms.visitor.get(sent.headers.location)).text).toContain('We will write to you.');
    const [submission] = await forms.submissions(made.id);
    expect(submission).toMatchObject({
      object: 'form_submission',
      form: { id: made.id, slug: made.slug, title: 'Become our supplier' },
      project_id: forms.workflow.space.eng.id,
      answers: ACME,
      submitted_at: expect.any(String),
    });
    const [document] = await eventually(
      async () => (await forms.workflow.api.get('/api/v1/ext/papers/documents')).body.data,
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
          [forms.workflow.space.organizationId],
        )
      ).rows,
    ).toEqual([{ request: null }]);
    // the event stays internal
    const { rows } = await app.sql.query(
      `SELECT internal, body::jsonb -> 'actor' AS actor, body::jsonb #>> '{request,id}' AS request FROM outbox_events
       WHERE type = 'form.submitted' AND organization_id = $1`,
      [forms.workflow.space.organizationId],
    );
    expect(rows).toEqual([
      { internal: true, actor: { type: 'guest', id: null, email: 'ada@acme.example' }, request: sent.headers['request-id'] },
    ]);
  });

  it('sent twice from the same page counts once, even concurrently', async () => {
    const { id, slug: to } = await forms.form();
    const token = randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => forms.send(to, ACME, { token })));
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await forms.submissions(id)).toHaveLength(1);
  });

  it('by a bot that fills in the honeypot is confirmed and discarded', async () => {
    const { id, slug: to } = await forms.form();
    expect((await forms.send(to, ACME, { website: 'https://spam.example' })).status).toBe(303);
    expect(await forms.submissions(id)).toEqual([]);
  });

  it('with a huge value is rejected by a page that repeats little of it', async () => {
    const { slug: to } = await forms.form();
    const { status, text } = await forms.send(to, { ...ACME, company: 'b'.repeat(450_000), notes: 'a'.repeat(450_000) });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(30_000);
    // still too long, so that nothing is cut unnoticed
    expect(text).toContain(`\n${'a'.repeat(2001)}</textarea>`);
  });

  it('beyond ten from one address, or one IPv6 network, in ten minutes is rejected, and the page keeps the input', async () => {
    const { id, slug: to } = await forms.form();
    const guest = (number: number) =>
      new Client(app.url, { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': `2001:db8:5:6::${number}` });
    for (let count = 0; count < 10; count++) expect((await forms.send(to, ACME, {}, guest(count))).status).toBe(303);
    const { status, headers, text } = await forms.send(to, ACME, {}, guest(10));
    expect([status, headers['retry-after']]).toEqual([429, '600']);
    expect(text).toContain('value="ada@acme.example"');
    expect(await forms.submissions(id)).toHaveLength(10);
    const { slug: other } = await forms.form();
    expect((await forms.send(other, ACME)).status).toBe(303);
  });
});

describe('managing forms', () => {
  it('creates, changes and deletes them; one with submissions cannot be deleted', async () => {
    const made = await forms.form();
    expect(made).toMatchObject({ object: 'intake_form', active: true, description: null, success_message: null });
    expect((await forms.workflow.screen.patch(`${FORMS}/${made.id}`, { title: 'New', description: 'Text' })).body).toMatchObject({
      title: 'New',
      description: 'Text',
      version: 2,
    });
    const submitted = await forms.form();
    await forms.send(submitted.slug, ACME);
    expect((await forms.workflow.screen.delete(`${FORMS}/${submitted.id}`)).body.error).toMatchObject({ code: 'resource_conflict' });
    expect((await forms.workflow.screen.delete(`${FORMS}/${made.id}`)).status).toBe(204);
    expect((await forms.workflow.screen.get(FORMS)).body.data.map(({ id }: { id: string }) => id)).toEqual([submitted.id]);
  });

  it('rejects a slug that is taken in any organization, and fields that no form can show', async () => {
    const made = await forms.form();
    const other = await WorkflowFixture.open(app);
    const body = { slug: made.slug, title: 'x', fields: FORM_FIELDS, project_id: other.space.eng.id };
    expect((await other.screen.post(FORMS, body)).body.error).toMatchObject({ code: 'duplicate', param: 'slug' });
    expect(
      (await other.screen.post(FORMS, { ...body, slug: formSlug(), fields: { type: 'object', properties: { a: { type: 'object' } } } }))
        .body.error,
    ).toMatchObject({ code: 'validation_failed', param: 'fields.properties.a.type' });
    expect(
      (await other.screen.post(FORMS, { ...body, slug: formSlug(), project_id: forms.workflow.space.eng.id })).body.error,
    ).toMatchObject({
      code: 'validation_failed',
      param: 'project_id',
    });
    expect((await other.screen.get(`${FORMS}/${made.id}/submissions`)).status).toBe(404);
    const member = await forms.workflow.space.signIn((await forms.workflow.space.member('member')).email);
    expect([(await member.post(FORMS, body)).status, (await member.get(`${FORMS}/${made.id}/submissions`)).status]).toEqual([403, 200]);
  });
});

import { randomUUID } from 'node:crypto';
import { Client, type ApiResponse } from '../../../../test/harness/client.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import { WorkflowFixture } from './workflow-fixture.js';

export const FORMS = '/api/v1/org/papers/forms';
export const FORM_FIELDS = {
  type: 'object',
  required: ['company', 'email'],
  properties: {
    company: { type: 'string', 'x-label': 'Company', 'x-order': 1 },
    email: { type: 'string', format: 'email', 'x-label': 'E-mail', 'x-order': 2 },
    notes: { type: 'string', maxLength: 2000, 'x-order': 3 },
  },
};
/** Answers to a form with these fields. */
export const ACME = { company: 'Acme', email: 'ada@acme.example' };

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts the fields instead of declaring them
type Loose = any;

export function formSlug(): string {
  return `form-${randomUUID().slice(0, 8)}`;
}

/** Intake forms of a workspace, and a visitor who fills them in. */
export class FormFixture {
  readonly visitor: Client;

  private constructor(
    app: TestApp,
    readonly workflow: WorkflowFixture,
  ) {
    this.visitor = new Client(app.url, { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' });
  }

  static async open(app: TestApp): Promise<FormFixture> {
    return new FormFixture(app, await WorkflowFixture.open(app));
  }

  form(over: object = {}): Promise<Loose> {
    const project_id = this.workflow.space.eng.id;
    return this.created(FORMS, { slug: formSlug(), title: 'Become our supplier', fields: FORM_FIELDS, project_id, ...over });
  }

  bridge(formId: string, over: object = {}): Promise<Loose> {
    return this.created(`${FORMS}/${formId}/bridges`, {
      name: 'Leads',
      target: 'lead',
      field_map: { full_name: 'answers.company', email: 'answers.email' },
      ...over,
    });
  }

  /** Submits the page of a form. */
  send(to: string, answers: Record<string, string>, over: Record<string, string> = {}, from = this.visitor): Promise<ApiResponse> {
    const fields = Object.entries(answers).map(([name, value]) => [`answers.${name}`, value]);
    return from.post(`/f/${to}`, new URLSearchParams({ ...Object.fromEntries(fields), token: randomUUID(), ...over }).toString());
  }

  async submissions(id: string): Promise<Loose[]> {
    return (await this.workflow.screen.get(`${FORMS}/${id}/submissions`)).body.data;
  }

  async runs(id: string): Promise<Loose[]> {
    return (await this.workflow.screen.get(`${FORMS}/${id}/bridge-runs`)).body.data;
  }

  async leads(): Promise<Loose[]> {
    const { client } = await this.workflow.space.key({ module: 'crm' });
    return (await client.get('/api/v1/ext/crm/leads?sort=created_at')).body.data;
  }

  private async created(path: string, values: object): Promise<Loose> {
    const { status, body, text } = await this.workflow.screen.post(path, values);
    if (status !== 201) throw new Error(text);
    return body;
  }
}

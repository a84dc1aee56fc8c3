import type { ApiResponse, Client } from '../../../../test/harness/client.js';
import { makeType, type TypeInput } from './document-types.js';
import type { KeyOptions } from '../../../../test/harness/people.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import type { ApprovalStepDto } from '../model/types/approval-route.dto.js';

export const DOCUMENTS = '/api/v1/ext/papers/documents';
export const ORG_DOCUMENTS = '/api/v1/org/papers/documents';
export const PENDING = '/api/v1/ext/papers/approvals/pending';

const SCHEMA = {
  type: 'object',
  required: ['customer'],
  properties: { customer: { type: 'string' }, amount: { type: 'number' } },
} as const;

/**
 * The condition that a mail is about the document whose id the parameter has: its text has the link to the document, or that of an
 * approver, which only shows a token.
 */
export const isAbout = (parameter: string) => `(text LIKE '%' || ${parameter} || '%' OR EXISTS (
  SELECT FROM approval_links WHERE document_id::text = ${parameter}
    AND token_hash = encode(sha256(substring(text FROM '/a/([[:alnum:]_-]{43})')::bytea), 'hex')))`;

interface Person {
  id: string;
  email: string;
}

/** Common steps of tests of the document workflow, in one organization. */
export class WorkflowFixture {
  private deputy: Promise<Client> | null = null;

  private constructor(
    readonly app: TestApp,
    readonly space: Workspace,
    /** An organization-wide key that is bound to the owner. */
    readonly api: Client,
    readonly screen: Client,
  ) {}

  static async open(app: TestApp, workspace?: Workspace): Promise<WorkflowFixture> {
    const space = workspace ?? (await app.workspace());
    return new WorkflowFixture(app, space, await keyOf(space), await space.signIn());
  }

  /** A key that decides in others' names: bound to a member who submits nothing, as submitters may not. Made when first needed. */
  acting(): Promise<Client> {
    this.deputy ??= this.space.member('member').then(({ id }) => this.key({ actor_user_id: id }));
    return this.deputy;
  }

  key(options: KeyOptions = {}): Promise<Client> {
    return keyOf(this.space, options);
  }

  type(input: TypeInput = {}): Promise<{ id: string; code: string }> {
    return makeType(this.app, this.space.ctx(), { field_schema: SCHEMA, ...input });
  }

  /** A type whose documents these members must approve, one step after the other. */
  approvedBy(steps: (Person | ApprovalStepDto)[], input: TypeInput = {}): Promise<{ id: string; code: string }> {
    return this.type({ requires_approval: true, approval_route: { steps: steps.map(stepOf) }, ...input });
  }

  async draft(type_code: string, over: object = {}, client = this.api): Promise<{ id: string; version: number }> {
    const response = await client.post(DOCUMENTS, {
      type_code,
      title: 'Agreement',
      data_values: { customer: 'Acme' },
      project_id: this.space.eng.id,
      ...over,
    });
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
  }

  submit(id: string, body: object = {}, client = this.api): Promise<ApiResponse> {
    return client.post(`${DOCUMENTS}/${id}/submit`, body);
  }

  async submitted(type_code: string, over: object = {}): Promise<string> {
    const { id } = await this.draft(type_code, over);
    const response = await this.submit(id);
    if (response.status !== 200) throw new Error(response.text);
    return id;
  }

  async act(id: string, body: object, headers: Record<string, string> = {}, client?: Client): Promise<ApiResponse> {
    return (client ?? (await this.acting())).patch(`${DOCUMENTS}/${id}/workflow/status`, body, headers);
  }

  decide(id: string, action: string, { email }: Person, over: object = {}): Promise<ApiResponse> {
    return this.act(id, { action, approver_email: email, ...over });
  }

  /** On behalf of the owner. */
  move(id: string, lifecycle_action: string, over: object = {}, client = this.api): Promise<ApiResponse> {
    return this.act(id, { action: 'TRANSITION', lifecycle_action, approver_email: this.space.owner.email, ...over }, {}, client);
  }

  org(id: string, action: string, body: object = {}, client = this.screen): Promise<ApiResponse> {
    return client.post(`${ORG_DOCUMENTS}/${id}/${action}`, body);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts shapes instead of declaring them
  async read(id: string): Promise<any> {
    return (await this.api.get(`${DOCUMENTS}/${id}`)).body;
  }

  /** The document's events in order; state changes with the new state. */
  async events(id: string): Promise<string[]> {
    const { rows } = await this.app.sql.query<{ type: string; to: string | null }>(
      `SELECT type, body::jsonb #>> '{data,context,to}' AS to FROM outbox_events WHERE body::jsonb #>> '{data,object,id}' = $1 ORDER
        BY sequence`,
      [id],
    );
    return rows.map(({ type, to }) => (type === 'paper.state_changed' ? `${type} ${to}` : type));
  }

  /** The recipients and subjects of mails about the document, in order. */
  async mails(id: string): Promise<string[]> {
    const { rows } = await this.app.sql.query<{ to: string; subject: string }>(
      `SELECT recipient AS to, subject FROM mails WHERE organization_id = $1 AND ${isAbout('$2')} ORDER BY created_at, id`,
      [this.space.organizationId, id],
    );
    return rows.map(({ to, subject }) => `${to}: ${subject}`);
  }

  /** Sets a state that documents reach only by signatures or time. */
  async put(id: string, state: string, columns: Record<string, unknown> = {}): Promise<void> {
    const names = Object.keys(columns);
    const sets = ['state = $2', 'lifecycle_stage = $2', 'version = version + 1', ...names.map((name, index) => `${name} = $${index + 3}`)];
    await this.app.sql.query(`UPDATE documents SET ${sets.join(', ')} WHERE id = $1`, [id, state, ...Object.values(columns)]);
  }
}

async function keyOf(space: Workspace, options: KeyOptions = {}): Promise<Client> {
  return (await space.key({ module: 'documents', actor_user_id: space.owner.id, ...options })).client;
}

function stepOf(step: Person | ApprovalStepDto): ApprovalStepDto {
  return 'email' in step ? { name: 'Approval', mode: 'any', approvers: [{ kind: 'user', ref: step.email }] } : step;
}

import { randomUUID } from 'node:crypto';
import type { ConsoleSetting, LargeBodies, ModuleContract } from '../../../../test/contract/module-contract.js';
import { APPROVER, TYPE_CODE } from '../../../../test/contract/arbitraries.js';
import { makeType } from './document-types.js';
import { WorkflowFixture } from './workflow-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import { PASSWORD, type Workspace } from '../../../../test/harness/workspace.js';
import { mailSamples } from './mail-samples.js';

export const contract: ModuleContract = {
  mails: mailSamples,
  operations: `
    list_document_types get_document_type create_document get_document list_document_comments list_document_obligations list_obligations
    submit_document list_pending_approvals act_on_document create_document_share_link generate_documents summarize_document
    analyze_document_risks list_document_type_zones replace_document_type_zones list_reports get_report get_report_data
  `,
  memberOperations: {
    act_on_document: [
      'decide_org_document',
      'recall_org_document',
      'finalize_org_document',
      'send_org_document',
      'revoke_org_document',
      'supersede_org_document',
    ],
  },
  destructive: ['act_on_document'],
  withoutUndo: [
    'delete_org_document_type_file',
    'delete_org_form',
    'delete_org_form_bridge',
    'delete_org_report',
    'delete_org_substitute',
    'delete_org_trigger',
    'remove_org_document_type_file',
  ],
  openWorld: [
    'act_on_document',
    'analyze_document_risks',
    'create_bulk_send',
    'create_document_share_link',
    'create_document_signing_link',
    'generate_documents',
    'remind_document',
    'submit_document',
    'summarize_document',
  ],
  emailFields: [
    'PATCH /api/v1/ext/papers/documents/{id}/workflow/status approver_email (string)',
    'PATCH /api/v1/org/developer/triggers/{id} sending.cc.0.email (email)',
    'PATCH /api/v1/org/papers/documents/{id}/parties/{partyId} email (email)',
    'PATCH /api/v1/org/papers/types/{id} sending.cc.0.email (email)',
    'POST /api/v1/org/developer/triggers sending.cc.0.email (email)',
    'POST /api/v1/org/papers/types sending.cc.0.email (email)',
    'POST /api/v1/ext/papers/documents/{id}/remind email (email)',
    'POST /api/v1/org/papers/documents/{id}/remind email (email)',
    'POST /api/v1/org/papers/documents/{id}/send sending.cc.0.email (email)',
    'POST /api/v1/org/papers/substitutes member_email (email)',
    'POST /api/v1/org/papers/substitutes substitute_email (email)',
    'POST /api/v1/org/papers/obligations responsible.email (email)',
    'POST /api/v1/org/papers/obligations/{id}/confirm responsible.email (email)',
    'POST /s/{token}/delegate delegate_email (string)',
  ],
  rarelySucceed: {
    act_on_document: 'Only what the state of the document permits, for approvers, and `sending` only for actions that send.',
    replace_document: 'Only documents that cannot proceed are replaced.',
    delete_document: 'Only drafts are deleted, and the other calls finalize most.',
    restore_document: 'As delete_document, which is undone.',
    create_bulk_send: 'Only types with parties that need no approval, for keys of members who may send.',
    get_bulk_send: 'As create_bulk_send, which makes them.',
    create_document_signing_link: 'Only documents that a party is asked to sign.',
    upload_document_image: 'Arbitrary bytes are no picture.',
    add_document_file: 'Only drafts take files, and arbitrary bytes are no PDF.',
    delete_document_file: 'As add_document_file, which makes them.',
    replace_document_file: 'Only drafts take a file, and arbitrary bytes are no PDF.',
    replace_document_file_fields: 'Only drafts with a file, and fields of the parties of their type.',
    get_document_file: 'Only documents that consist of a file.',
    remind_document: 'Only documents that wait for somebody, each person once an hour.',
  },
  prepare,
  largeBodies,
  consolePages,
};

/** Creates what API keys cannot: a document type, finalized documents with obligations, a report, an approver. */
async function prepare(app: TestApp, workspace: Workspace): Promise<void> {
  const people = app.inside<typeof import('../../../../test/harness/people.js')>('test/harness/people.ts');
  await people.createMember(workspace.organizationId, { email: APPROVER, name: 'Approver', role: 'admin', password: PASSWORD });
  const screen = await workspace.signIn();
  await screen.post('/api/v1/org/papers/reports', { name: 'All', dataset: 'documents', columns: ['title'], shared: true });
  await makeType(app, workspace.ctx(), {
    code: TYPE_CODE,
    obligation_rules: [{ title: 'Report', kind: 'report', side: 'us', due_after_days: 30, reminder_days: [] }],
  });
  for (const mode of ['live', 'test'] as const) {
    const { client } = await workspace.key({ module: 'documents', mode, actor_user_id: workspace.owner.id });
    const { id } = (
      await client.post('/api/v1/ext/papers/documents', { type_code: TYPE_CODE, title: 'Note', project_id: workspace.eng.id })
    ).body;
    await client.patch(`/api/v1/ext/papers/documents/${id}/workflow/status`, {
      action: 'TRANSITION',
      lifecycle_action: 'finalize',
      approver_email: APPROVER,
    });
  }
}

async function largeBodies(app: TestApp, workspace: Workspace): Promise<LargeBodies> {
  const workflow = await WorkflowFixture.open(app, workspace);
  const type = await workflow.type();
  const { id: document } = await workflow.draft(type.code);
  const slug = `cost-${randomUUID().slice(0, 8)}`;
  const fields = { type: 'object', properties: { company: { type: 'string' } } };
  const form = await workflow.screen.post('/api/v1/org/papers/forms', { slug, title: 'Form', fields, project_id: workspace.eng.id });
  const ai = '/api/v1/ext/papers/ai';
  return {
    resources: { '/types/': type.id, '/documents/': document, '/forms/': form.body.id as string, '/f/': slug },
    values: { type_code: type.code },
    texts: {
      [`${ai}/summarize`]: { raw_text: '1 January 2026 '.repeat(13_000), force: true },
      [`${ai}/risks`]: { raw_text: 'The supplier shall indemnify. '.repeat(6_600), force: true },
    },
  };
}

async function consolePages({ app, workspace, owner, name }: ConsoleSetting): Promise<Record<string, string>> {
  const type = await makeType(app, workspace.ctx());
  const source = { event_type: 'deal.won', title_template: 'Agreement', source_map: {} };
  const trigger = await owner.post('/api/v1/org/developer/triggers', { name, document_type_id: type.id, ...source });
  if (trigger.status !== 201) throw new Error(trigger.text);
  const document = await owner.post('/api/v1/org/papers/documents', { type_code: type.code, title: name });
  if (document.status !== 201) throw new Error(document.text);
  return {
    '/console/triggers/:id': `/console/triggers/${trigger.body.id}`,
    '/console/documents/:id': `/console/documents/${document.body.id}`,
  };
}

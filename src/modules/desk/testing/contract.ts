import type { ModuleContract } from '../../../../test/contract/module-contract.js';
import { EXT_DESK, makeAgent, makeTicket, ORG_DESK } from './desk-fixture.js';
import type { IdPool } from '../../../../test/contract/arbitraries.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { takenValues } from './taken-values.js';
import { mailSamples } from './mail-samples.js';

export const contract: ModuleContract = {
  mails: mailSamples,
  operations: `
    list_tickets get_ticket create_ticket update_ticket list_ticket_messages reply_to_ticket add_ticket_note list_ticket_statuses
    list_ticket_priorities list_ticket_queues list_ticket_agents
  `,
  destructive: ['merge_ticket'],
  withoutUndo: [
    'delete_org_business_hours',
    'delete_org_canned_response',
    'delete_org_desk_mailbox',
    'delete_org_sla_policy',
    'delete_org_ticket_agent',
    'delete_org_ticket_queue',
    'delete_org_ticket_status',
    'delete_org_ticket_view',
  ],
  openWorld: ['create_ticket', 'reply_to_ticket'],
  emailFields: [
    'PATCH /api/v1/ext/desk/tickets/{id} cc_emails (email)',
    'PATCH /api/v1/org/desk/mailboxes/{id} address (email)',
    'PATCH /api/v1/org/desk/tickets/{id} cc_emails (email)',
    'POST /api/v1/ext/desk/tickets cc_emails (email)',
    'POST /api/v1/ext/desk/tickets requester.email (email)',
    'POST /api/v1/org/desk/inbound-mails/{id}/ticket requester_email (email)',
    'POST /api/v1/org/desk/mailboxes address (email)',
    'POST /api/v1/org/desk/tickets cc_emails (email)',
    'POST /api/v1/org/desk/tickets requester.email (email)',
  ],
  rarelySucceed: {
    merge_ticket: 'Both must be open and of one project and mode, and each call closes one.',
    reply_to_ticket: 'A text and a canned response exclude each other, and the status must be one of the very project.',
  },
  prepare,
  takenValues,
};

/** Creates what API keys cannot, agents and files, and tickets that are left to do in each mode. */
async function prepare(app: TestApp, workspace: Workspace, pool: IdPool): Promise<void> {
  const owner = await workspace.signIn();
  const desk = app.inside<typeof import('./desk-mails.js')>('src/modules/desk/testing/desk-mails.ts');
  const { id: projectId } = workspace.eng;
  const assignee_id = await makeAgent(owner, projectId, workspace.owner.id);
  await owner.post(`${ORG_DESK}/canned-responses`, { project_id: projectId, name: 'Hello', body: 'Hello' });
  for (const mode of ['live', 'test'] as const) {
    const { client } = await workspace.key({ module: 'desk', mode });
    for (let count = 0; count < 20; count++) await makeTicket(client, projectId, { assignee_id });
    const { data } = (await client.get(`${EXT_DESK}/queues?project_id=${projectId}`)).body as { data: { id: string }[] };
    const file = { projectId, queueId: data[0].id, mediaType: 'text/plain', content: 'PC LOAD LETTER' };
    const { attachmentId } = await desk.openWithFile(workspace.ctx(mode), file);
    pool.harvest({ object: 'ticket_attachment', id: attachmentId });
  }
}

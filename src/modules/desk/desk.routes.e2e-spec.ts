import { EXT_DESK, makeTicket } from './testing/desk-fixture.js';
import { describeModule } from '../../../test/contract/module/describe-module.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import type { SampleContext } from '../../../test/contract/module/module-samples.js';

const app = await sharedApp();
const desk = app.inside<typeof import('./testing/desk-mails.js')>('src/modules/desk/testing/desk-mails.ts');
const ticket = async ({ client, project }: SampleContext) => (await makeTicket(client, project.id)).id;

await describeModule(app, 'desk', {
  // its time of expiry
  varies: { get_ticket_attachment: ['download_url'], get_org_ticket_attachment: ['download_url'] },
  resources: {
    '/tickets/{id}': { make: ticket },
    '/requesters/{id}': {
      make: async ({ client, project, unique }) => {
        const email = `${unique()}@customer.example`.toLowerCase();
        await makeTicket(client, project.id, { requester: { email } });
        return (await client.get(`${EXT_DESK}/requesters?email=${email}`)).body.data[0].id as string;
      },
    },
    '/attachments/{id}': {
      make: async ({ client, project, workspace, mode }) => {
        const { data } = (await client.get(`${EXT_DESK}/queues?project_id=${project.id}`)).body as { data: { id: string }[] };
        const file = { projectId: project.id, queueId: data[0].id, mediaType: 'text/plain', content: 'PC LOAD LETTER' };
        return (await desk.openWithFile(workspace.ctx(mode), file)).attachmentId;
      },
    },
  },
  samples: {
    create_ticket: ({ project, unique }) => ({
      project_id: project.id,
      subject: `The printer does not print ${unique()}`,
      external_id: unique(),
      tags: ['printer'],
      requester: { email: 'ada@customer.example' },
      message: 'It prints empty pages.',
    }),
    update_ticket: ({ unique }) => ({ subject: `Printer ${unique()}` }),
    update_requester: ({ unique }) => ({ name: `Ada ${unique()}` }),
    merge_ticket: async (context) => ({ into_id: await ticket(context) }),
    reply_to_ticket: ({ unique }) => ({ body: `Switch it off and on ${unique()}.` }),
    upload_ticket_attachment: ({ project, unique }) => ({ project_id: project.id, file_name: 'log.txt', text: `Line ${unique()}` }),
    add_ticket_note: ({ unique }) => ({ body: `The cable is loose ${unique()}.` }),
  },
  // a leak that only these show passes the checks
  unreached: [
    'list_tickets requester_email',
    'list_tickets tag',
    'list_tickets view_id',
    'create_ticket assignee_id',
    'create_ticket attachment_ids',
    'update_ticket assignee_id',
    'reply_to_ticket attachment_ids',
    'reply_to_ticket canned_response_id',
    'add_ticket_note attachment_ids',
  ],
});

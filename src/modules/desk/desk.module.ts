import { DomainModule, projectLookup } from '../../kit/index.js';
import { CrmModule } from '../crm/crm.public.js';
import { AttachmentDownloadsController, AttachmentsController } from './attachments/attachments.controller.js';
import { AttachmentsService } from './attachments/attachments.service.js';
import { TicketChanges } from './changes/ticket-changes.js';
import { DeskConfig } from './config/desk-config.js';
import { DELIVERIES } from './deliveries/deliveries.parts.js';
import { DESK_GUIDE } from './desk.guide.js';
import { CloseSolved } from './jobs/close-solved.scheduled-job.js';
import { EndSnoozes } from './jobs/end-snoozes.scheduled-job.js';
import { ReportBreaches } from './jobs/report-breaches.scheduled-job.js';
import { DeskLookupsController } from './lookups/lookups.controller.js';
import { DeskLookups } from './lookups/lookups.service.js';
import { DeskAgent } from './model/agent.entity.js';
import { INBOX } from './inbox/inbox.parts.js';
import { MAIL } from './mail/mail.parts.js';
import { Attachment } from './model/attachment.entity.js';
import { SlaBreach } from './model/breach.entity.js';
import { DeskBusinessHours } from './model/business-hours.entity.js';
import { CannedResponse } from './model/canned-response.entity.js';
import { DeskErrors } from './model/desk.errors.js';
import { DeskMailbox } from './model/mailbox.entity.js';
import { InboundMailRow, OutboundMailRow } from './model/mails.entity.js';
import { TicketMessage } from './model/message.entity.js';
import { DeskQueue } from './model/queue.entity.js';
import { TicketRating } from './model/rating.entity.js';
import { Requester } from './model/requester.entity.js';
import { DeskSettings } from './model/settings.entity.js';
import { DeskSlaPolicy } from './model/sla-policy.entity.js';
import { DeskStatus } from './model/status.entity.js';
import { Ticket } from './model/ticket.entity.js';
import { DeskView } from './model/view.entity.js';
import { RATINGS } from './ratings/ratings.parts.js';
import { RequestersController } from './requesters/requesters.controller.js';
import { RequesterEvents } from './requesters/requesters.events.js';
import { RequestersService } from './requesters/requesters.service.js';
import { DeskProjectSetup } from './setup/desk-project-setup.js';
import { DeskSetup } from './setup/desk-setup.service.js';
import { OrgDeskServiceLevelsController } from './setup/org-desk-service-levels.controller.js';
import { OrgDeskSetupController } from './setup/org-desk-setup.controller.js';
import { TicketNames } from './ticket-views/ticket-names.service.js';
import { TicketEvents } from './ticket-views/tickets.events.js';
import { RepliesService } from './tickets/replies.service.js';
import { RequesterMessages } from './tickets/requester-messages.service.js';
import { TicketUpdates } from './tickets/ticket-updates.service.js';
import { TicketsController } from './tickets/tickets.controller.js';
import { MessageFiles } from './attachments/message-files.js';
import { MessagesWriter } from './tickets/messages-writer.js';
import { TicketsService } from './tickets/tickets.service.js';
import { DESK_DEMO } from './desk.demo.js';
import { DESK_TRIGGERS } from './desk.triggers.js';
import { DESK_PERSONAL_DATA } from './requesters/desk.personal-data.js';

const WORK = 'desk.ticket.manage';
const UNUSED_UPLOAD_DAYS = 1;

/**
 * Tickets of people who ask for help.
 * - `model/` entities, errors and values; `config/` the configuration of a project, cached in memory
 * - `lookups/` its lists, `setup/` how it is changed
 * - `clocks/` business hours and SLA clocks, without a database; `changes/` the one way to change a ticket
 * - `ticket-views/` what responses and events show of tickets; `tickets/` tickets and their messages
 * - `requesters/`, `attachments/`, `ratings/` the people who ask, the files of their mails, and how they rate the help
 * - `mail/` parsing and writing mails; `inbox/` received mails, which become tickets and messages; `deliveries/` what becomes of sent ones
 * - `jobs/` scheduled jobs: closing, snoozes, breaches
 */
@DomainModule({
  name: 'desk',
  title: 'Service desk',
  guide: DESK_GUIDE,
  agentWords: {
    search: {
      ticket: 'issue case request complaint problem enquiry inquiry incident question concern',
      create_ticket: 'phoned called report request broken broke file lodge submit raise behalf say caller',
      reply: 'tell ask answer respond response client customer write_back look_into',
      list_ticket:
        'answered unanswered waiting open pending still sla breach break promise response_time soon late overdue ' +
        'satisfied satisfaction rating rated happy unhappy',
      merge: 'same duplicate combine join together same_thing',
      update_ticket:
        'sleep snooze remind_me later urgent close solve resolve assign escalate hand_over forward reassign somebody_else give pass_on',
      note: 'remark write_down internal memo colleague private',
      canned_response: 'boilerplate template snippet macro macros standard stock answer reply saved',
      upload_ticket_attachment: 'screenshot photo attach',
      get_ticket_attachment: 'open download file',
      ticket_agent: 'who support staff works_in colleague assignee person people',
      ticket_priority: 'urgency urgent severity level',
      ticket_queue: 'team inbox group',
      ticket_message: 'conversation thread history wrote said write mail',
      ticket_view: 'filter saved',
    },
    arguments: { assignee: ['assignee_id'] },
  },
  scopes: {
    'desk:ticket:read': 'Read tickets, their messages, attachments and requesters',
    'desk:ticket:write': 'Create, change and merge tickets, and change requesters',
    'desk:message:write': 'Answer tickets and add notes to them',
    'desk:config:read': 'Read projects, statuses, priorities, queues, agents, views and canned responses',
  },
  permissions: {
    'desk.ticket.manage': { title: 'See, create, answer, change and merge tickets', roles: ['admin', 'member'] },
    'desk.setup.manage': {
      title: 'Set up statuses, queues, agents, SLA policies, canned responses, views and mailboxes of the service desk',
      roles: ['admin'],
    },
  },
  customFields: 'desk:config:read',
  apiOnly: [
    {
      names: [
        ['Queues', 'create_org_ticket_queue'],
        ['agents', 'create_org_ticket_agent'],
        ['statuses', 'create_org_ticket_status'],
      ],
      text: 'who works on which tickets, and their states',
    },
    {
      names: [
        ['Business hours', 'create_org_business_hours'],
        ['SLA policies', 'create_org_sla_policy'],
      ],
      text: 'how fast tickets are answered and solved',
    },
    {
      names: [
        ['Mailboxes', 'create_org_desk_mailbox'],
        ['canned responses', 'create_org_canned_response'],
        ['settings', 'update_org_desk_settings'],
      ],
      text: 'mail that becomes tickets, and replies to it',
    },
  ],
  entities: [
    DeskStatus,
    DeskQueue,
    DeskAgent,
    DeskBusinessHours,
    DeskSlaPolicy,
    CannedResponse,
    DeskView,
    DeskMailbox,
    DeskSettings,
    Requester,
    Ticket,
    TicketMessage,
    Attachment,
    SlaBreach,
    TicketRating,
    InboundMailRow,
    OutboundMailRow,
  ],
  uses: [CrmModule],
  personalData: DESK_PERSONAL_DATA,
  controllers: [
    projectLookup('/api/v1/ext/desk/projects', 'list_desk_projects', {
      scope: 'desk:config:read',
      member: { permission: [WORK, 'desk.setup.manage'] },
    }),
    TicketsController,
    RequestersController,
    AttachmentsController,
    AttachmentDownloadsController,
    DeskLookupsController,
    OrgDeskSetupController,
    OrgDeskServiceLevelsController,
    ...INBOX.controllers,
    ...RATINGS.controllers,
  ],
  providers: [
    DeskConfig,
    DeskProjectSetup,
    RequestersService,
    TicketChanges,
    TicketsService,
    TicketNames,
    MessagesWriter,
    MessageFiles,
    TicketUpdates,
    RequesterMessages,
    RepliesService,
    AttachmentsService,
    DeskLookups,
    DeskSetup,
    ...MAIL.providers,
    ...DELIVERIES.providers,
    ...INBOX.providers,
    ...RATINGS.providers,
  ],
  scheduledJobs: [ReportBreaches, CloseSolved, EndSnoozes, ...DELIVERIES.scheduledJobs, ...INBOX.scheduledJobs, ...RATINGS.scheduledJobs],
  jobs: [...INBOX.jobs],
  retention: [
    ...INBOX.retention,
    { table: 'desk_attachments', column: 'created_at', keepDays: UNUSED_UPLOAD_DAYS, where: 'message_id IS NULL' },
  ],
  exports: [TicketsService, TicketChanges, RequesterMessages, TicketUpdates, RepliesService, DeskSetup],
  projectSetup: DeskProjectSetup,
  errors: DeskErrors,
  events: { ...TicketEvents, ...RequesterEvents },
  triggers: DESK_TRIGGERS,
  demo: DESK_DEMO,
})
export class DeskModule {}

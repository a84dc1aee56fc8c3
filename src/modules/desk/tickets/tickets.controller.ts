import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, SentFiles, type ListBody, type SentFile } from '../../../kit/index.js';
import { FILES } from '../attachments/message-files.js';
import { DeskErrors } from '../model/desk.errors.js';
import { TicketMessageDto } from '../ticket-views/message.dto.js';
import { TicketNames } from '../ticket-views/ticket-names.service.js';
import { TicketDto } from '../ticket-views/ticket.dto.js';
import { AddTicketNoteDto, MergeTicketDto, ReplyToTicketDto, TicketMessagesQuery } from './messages.dto.js';
import { RepliesService } from './replies.service.js';
import { TicketUpdates } from './ticket-updates.service.js';
import { CreateTicketDto, TicketsQuery, UpdateTicketDto } from './tickets.dto.js';
import { TicketsService } from './tickets.service.js';
import { RequesterEvents } from '../requesters/requesters.events.js';
import { TicketEvents } from '../ticket-views/tickets.events.js';
import { TICKET_NUMBER } from '../model/ticket-number.js';

const member = { permission: 'desk.ticket.manage' };

/** What a change of a ticket can emit. */
const BY_CHANGE = [
  TicketEvents.messageAdded,
  TicketEvents.updated,
  TicketEvents.statusChanged,
  TicketEvents.solved,
  TicketEvents.slaBreached,
  TicketEvents.escalated,
];

@Controller('/api/v1/ext/desk/tickets')
export class TicketsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly updates: TicketUpdates,
    private readonly replies: RepliesService,
    private readonly names: TicketNames,
  ) {}

  @Get()
  @Endpoint({
    scope: 'desk:ticket:read',
    member,
    operation: 'list_tickets',
    summary: 'List tickets',
    returns: TicketDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: TicketsQuery): Promise<ListBody<TicketDto>> {
    const page = await this.tickets.page(ctx, query);
    return listBody(page, await this.names.mapper(ctx, page.data));
  }

  @Post()
  @Endpoint({
    scope: 'desk:ticket:write',
    member,
    operation: 'create_ticket',
    summary: 'Create a ticket for a requester',
    returns: TicketDto,
    status: 201,
    files: FILES,
    errors: [CommonErrors.duplicate, DeskErrors.assigneeRequired, DeskErrors.invalidTransition],
    openWorld: true,
    emits: [TicketEvents.created, RequesterEvents.requesterUpdated],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateTicketDto, @SentFiles() files: readonly SentFile[]): Promise<TicketDto> {
    return TicketDto.from(await this.tickets.create(ctx, body, files));
  }

  @Get(':id')
  @Endpoint({
    scope: 'desk:ticket:read',
    member,
    operation: 'get_ticket',
    summary: 'Get one ticket',
    returns: TicketDto,
  })
  async get(@Ctx() ctx: Ctx, @Id(TICKET_NUMBER) id: string): Promise<TicketDto> {
    const ticket = await this.tickets.get(ctx, id);
    return (await this.names.mapper(ctx, [ticket]))(ticket);
  }

  @Patch(':id')
  @Endpoint({
    scope: 'desk:ticket:write',
    member,
    operation: 'update_ticket',
    summary: 'Change, assign, solve or snooze a ticket',
    returns: TicketDto,
    errors: [CommonErrors.duplicate, DeskErrors.ticketClosed, DeskErrors.assigneeRequired, DeskErrors.invalidTransition],
    emits: BY_CHANGE,
  })
  async update(@Ctx() ctx: Ctx, @Id(TICKET_NUMBER) id: string, @Body() body: UpdateTicketDto): Promise<TicketDto> {
    return TicketDto.from(await this.updates.update(ctx, id, body));
  }

  @Post(':id/merge')
  @Endpoint({
    scope: 'desk:ticket:write',
    member,
    operation: 'merge_ticket',
    summary: 'Merge a duplicate into another ticket',
    description: 'Moves the messages and closes the duplicate permanently. Returns the ticket that stays.',
    returns: TicketDto,
    errors: [DeskErrors.mergeRefused],
    destructive: true,
    emits: [TicketEvents.merged, ...BY_CHANGE],
  })
  async merge(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id or number of the duplicate.', TICKET_NUMBER) id: string,
    @Body() { into_id }: MergeTicketDto,
  ): Promise<TicketDto> {
    return TicketDto.from(await this.updates.merge(ctx, id, into_id));
  }

  @Get(':id/messages')
  @Endpoint({
    scope: 'desk:ticket:read',
    member,
    operation: 'list_ticket_messages',
    summary: 'List the messages of a ticket',
    returns: TicketMessageDto,
    list: true,
  })
  async messages(@Ctx() ctx: Ctx, @Id(TICKET_NUMBER) id: string, @Query() query: TicketMessagesQuery): Promise<ListBody<TicketMessageDto>> {
    return listBody(await this.replies.page(ctx, id, query), (message) => message);
  }

  @Post(':id/replies')
  @Endpoint({
    scope: 'desk:message:write',
    member,
    operation: 'reply_to_ticket',
    summary: 'Answer the requester',
    description:
      'Requester and copies get a mail with the files, which shows them to each other. ' +
      'A reply as the requester of a closed ticket opens a follow-up: see ticket_id.',
    returns: TicketMessageDto,
    status: 201,
    files: FILES,
    errors: [DeskErrors.ticketClosed, DeskErrors.assigneeRequired, DeskErrors.invalidTransition],
    openWorld: true,
    emits: [
      RequesterEvents.requesterUpdated,
      TicketEvents.created,
      TicketEvents.messageAdded,
      TicketEvents.updated,
      TicketEvents.statusChanged,
      TicketEvents.solved,
      TicketEvents.slaBreached,
      TicketEvents.escalated,
    ],
  })
  reply(
    @Ctx() ctx: Ctx,
    @Id(TICKET_NUMBER) id: string,
    @Body() body: ReplyToTicketDto,
    @SentFiles() files: readonly SentFile[],
  ): Promise<TicketMessageDto> {
    return this.replies.reply(ctx, id, body, files);
  }

  @Post(':id/notes')
  @Endpoint({
    scope: 'desk:message:write',
    member,
    operation: 'add_ticket_note',
    summary: 'Add a note for colleagues',
    returns: TicketMessageDto,
    status: 201,
    files: FILES,
    errors: [DeskErrors.ticketClosed],
    emits: [TicketEvents.messageAdded, TicketEvents.updated, TicketEvents.slaBreached, TicketEvents.escalated],
  })
  note(
    @Ctx() ctx: Ctx,
    @Id(TICKET_NUMBER) id: string,
    @Body() body: AddTicketNoteDto,
    @SentFiles() files: readonly SentFile[],
  ): Promise<TicketMessageDto> {
    return this.replies.addNote(ctx, id, body, files);
  }
}

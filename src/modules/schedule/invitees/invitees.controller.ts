import { Body, Controller, Delete, Get, Post, Query, Res } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { ScheduleErrors } from '../model/core/schedule.errors.js';
import type { Invited } from './event-invitees.js';
import { AddedInviteeDto, AddInviteesDto, InviteeDto, InviteesQuery } from './invitees.dto.js';
import { InviteesService } from './invitees.service.js';
import { CalendarEventEvents } from '../event-views/calendar-events.events.js';

const EVENT = 'Id of an event or a series; the id of an instance means its series.';

@Controller('/api/v1/ext/schedule/events/:id/invitees')
export class InviteesController {
  constructor(private readonly invitees: InviteesService) {}

  @Get()
  @Endpoint({
    scope: 'schedule:event:read',
    member: { permission: 'schedule.event.view' },
    operation: 'list_event_invitees',
    summary: 'List the invitees of an event',
    returns: InviteeDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Id('id', EVENT) id: string, @Query() query: InviteesQuery): Promise<ListBody<InviteeDto>> {
    return listBody(await this.invitees.page(ctx, id, query), InviteeDto.from);
  }

  @Post()
  @Endpoint({
    scope: 'schedule:event:write',
    member: { permission: 'schedule.event.manage' },
    operation: 'add_event_invitees',
    summary: 'Invite people to an event',
    description:
      'Sends each an invitation and returns the invitees of the request, in the same order. People who were already invited are ' +
      'not changed: already_invited is true, and no mail is sent.',
    returns: AddedInviteeDto,
    list: true,
    status: 201,
    alsoReturns: { 200: 'All were invited before.' },
    errors: [ScheduleErrors.calendarInactive, CommonErrors.rateLimited],
    openWorld: true,
    emits: [CalendarEventEvents.inviteesAdded],
  })
  async add(@Ctx() ctx: Ctx, @Id('id', EVENT) id: string, @Body() body: AddInviteesDto, @Res({ passthrough: true }) reply: Reply) {
    return answer(await this.invitees.add(ctx, id, body), reply);
  }

  @Delete(':inviteeId')
  @Endpoint({
    scope: 'schedule:event:write',
    member: { permission: 'schedule.event.manage' },
    operation: 'remove_event_invitee',
    summary: 'Remove an invitee',
    description:
      'Mails them a cancellation; add_event_invitees invites them again. The guest of a booking is removed by cancelling the booking.',
    errors: [CommonErrors.resourceConflict],
    returns: null,
    openWorld: true,
    emits: [CalendarEventEvents.updated],
  })
  remove(@Ctx() ctx: Ctx, @Id('id', EVENT) id: string, @Id('inviteeId', 'Id of the invitee.') inviteeId: string): Promise<void> {
    return this.invitees.remove(ctx, id, inviteeId);
  }
}

interface Reply {
  status(code: number): unknown;
}

function answer({ invitees }: Invited, reply: Reply): ListBody<AddedInviteeDto> {
  if (invitees.every(({ isNew }) => !isNew)) reply.status(200);
  const data = invitees.map(({ invitee, isNew }) => ({ ...InviteeDto.from(invitee), already_invited: !isNew }));
  return { object: 'list', data, has_more: false, next_cursor: null };
}

import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, type ListBody } from '../../../kit/index.js';
import { CalendarEventDto } from '../event-views/calendar-event.dto.js';
import { EventAccess } from '../event-views/event-access.js';
import { eventView } from '../event-views/event-view.js';
import { ScheduleNames } from '../event-views/schedule-names.service.js';
import { ScheduleErrors } from '../model/core/schedule.errors.js';
import { EventDeletions } from './event-deletions.service.js';
import { EventEdits } from './event-edits.service.js';
import { CalendarEventsQuery, CreateEventDto, DeleteEventQuery, UpdateEventDto } from './events.dto.js';
import { EventsService } from './events.service.js';
import { CalendarEventEvents } from '../event-views/calendar-events.events.js';

const EVENT = 'Id of an event, of a series, or of an instance of one.';

@Controller('/api/v1/ext/schedule')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly edits: EventEdits,
    private readonly deletions: EventDeletions,
    private readonly access: EventAccess,
    private readonly names: ScheduleNames,
  ) {}

  @Get('calendars/:id/events')
  @Endpoint({
    scope: 'schedule:event:read',
    member: { permission: 'schedule.event.view' },
    operation: 'list_calendar_events',
    summary: 'List the events of a calendar',
    description: 'By default single events and the instances of series within 31 days from now.',
    returns: CalendarEventDto,
    list: true,
  })
  async list(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the calendar.') id: string,
    @Query() query: CalendarEventsQuery,
  ): Promise<ListBody<CalendarEventDto>> {
    const page = await this.events.page(ctx, id, query);
    return { object: 'list', ...page, data: await this.names.ofEvents(ctx, page.data) };
  }

  @Post('events')
  @Endpoint({
    scope: 'schedule:event:write',
    member: { permission: 'schedule.event.manage' },
    operation: 'create_event',
    summary: 'Create an event or a series',
    description:
      'Read list_event_templates first: the template of the calendar says which fields it has. Sends invitations to invitees. The error ' +
      'of a conflict lists the conflicting uses and events in `conflicts`; a series is created only if none of its instances has a ' +
      'conflict.',
    returns: CalendarEventDto,
    status: 201,
    errors: [ScheduleErrors.calendarInactive, ScheduleErrors.scheduleConflict, ScheduleErrors.resourceConflict, CommonErrors.rateLimited],
    openWorld: true,
    emits: [CalendarEventEvents.created],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateEventDto): Promise<CalendarEventDto> {
    return this.shown(ctx, eventView(await this.events.create(ctx, body)));
  }

  @Get('events/:id')
  @Endpoint({
    scope: 'schedule:event:read',
    member: { permission: 'schedule.event.view' },
    operation: 'get_event',
    summary: 'Get an event, a series or an instance',
    returns: CalendarEventDto,
  })
  async get(@Ctx() ctx: Ctx, @Id('id', EVENT) id: string): Promise<CalendarEventDto> {
    const { event, instance } = await this.access.get(ctx, id);
    return this.shown(ctx, eventView(event, instance));
  }

  @Patch('events/:id')
  @Endpoint({
    scope: 'schedule:event:write',
    member: { permission: 'schedule.event.manage' },
    operation: 'update_event',
    summary: 'Change an event, a series or an instance',
    description:
      'Send only what changes; members of metadata are merged. Invitees are mailed if time, place, title, status or recurrence ' +
      'change. A change of following instances ends the series before them and returns the new one that continues it.',
    returns: CalendarEventDto,
    errors: [ScheduleErrors.calendarInactive, ScheduleErrors.scheduleConflict, ScheduleErrors.resourceConflict, CommonErrors.rateLimited],
    openWorld: true,
    emits: [CalendarEventEvents.updated, CalendarEventEvents.created],
  })
  async update(@Ctx() ctx: Ctx, @Id('id', EVENT) id: string, @Body() body: UpdateEventDto): Promise<CalendarEventDto> {
    const { event, instance } = await this.edits.update(ctx, id, body);
    return this.shown(ctx, eventView(event, instance));
  }

  @Delete('events/:id')
  @Endpoint({
    scope: 'schedule:event:delete',
    member: { permission: 'schedule.event.manage' },
    operation: 'delete_event',
    summary: 'Delete an event, a series or instances',
    description: 'Notifies its invitees. A booking of the event is cancelled. Single instances of a series cannot be restored.',
    returns: null,
    errors: [CommonErrors.rateLimited],
    openWorld: true,
    emits: [CalendarEventEvents.deleted, CalendarEventEvents.updated],
  })
  delete(@Ctx() ctx: Ctx, @Id('id', EVENT) id: string, @Query() { apply_to }: DeleteEventQuery): Promise<void> {
    return this.deletions.delete(ctx, id, apply_to);
  }

  private async shown(ctx: Ctx, event: CalendarEventDto): Promise<CalendarEventDto> {
    return (await this.names.ofEvents(ctx, [event]))[0];
  }
}

import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CalendarFeedDto, CalendarFeedsQuery, CreateCalendarFeedDto } from './calendar-feeds.dto.js';
import { CalendarFeeds } from './calendar-feeds.service.js';

const permission = ['schedule.setup.manage', 'schedule.event.view'];

@Controller('/api/v1/org/schedule/calendars/:id/feeds')
export class OrgCalendarFeedsController {
  constructor(private readonly feeds: CalendarFeeds) {}

  @Get()
  @Endpoint({
    permission,
    operation: 'list_org_calendar_feeds',
    summary: 'List the feeds of a calendar',
    returns: CalendarFeedDto,
    list: true,
    errors: [CommonErrors.permissionDenied],
  })
  async list(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the calendar.') id: string,
    @Query() query: CalendarFeedsQuery,
  ): Promise<ListBody<CalendarFeedDto>> {
    return listBody(await this.feeds.page(ctx, id, query), (feed) => CalendarFeedDto.from(feed));
  }

  @Post()
  @Endpoint({
    permission,
    operation: 'create_org_calendar_feed',
    summary: 'Create a feed of a calendar',
    description:
      'Anyone with the address reads the live events of the calendar, without people, until the feed is revoked. With the permission ' +
      'schedule.event.view alone you can create feeds of your own private calendar only. The url appears only in this response.',
    returns: CalendarFeedDto,
    status: 201,
    secrets: ['url'],
    confirmation: true,
    openWorld: true,
    errors: [CommonErrors.resourceConflict, CommonErrors.permissionDenied],
  })
  async create(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the calendar.') id: string,
    @Body() body: CreateCalendarFeedDto,
  ): Promise<CalendarFeedDto> {
    const { feed, url } = await this.feeds.create(ctx, id, body);
    return CalendarFeedDto.from(feed, url);
  }

  @Delete(':feedId')
  @Endpoint({
    permission,
    operation: 'delete_org_calendar_feed',
    summary: 'Revoke a feed',
    returns: null,
    errors: [CommonErrors.permissionDenied],
  })
  delete(@Ctx() ctx: Ctx, @Id('id', 'Id of the calendar.') id: string, @Id('feedId', 'Id of the feed.') feedId: string): Promise<void> {
    return this.feeds.revoke(ctx, id, feedId);
  }
}

import { Injectable } from '@nestjs/common';
import { CommonErrors, newToken, Settings, Store, type Ctx, type Page } from '../../../kit/index.js';
import { CalendarAccess, requireManaged } from '../calendars/calendar-access.js';
import { Feed } from '../model/setup/feed.entity.js';
import type { CalendarFeedsQuery, CreateCalendarFeedDto } from './calendar-feeds.dto.js';

const MOST_FEEDS = 50;

/** Creates, lists and revokes the feeds of calendars. */
@Injectable()
export class CalendarFeeds {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly calendars: CalendarAccess,
  ) {}

  async page(ctx: Ctx, calendarId: string, query: CalendarFeedsQuery): Promise<Page<Feed>> {
    const { id } = requireManaged(ctx, await this.calendars.get(ctx, calendarId));
    return this.store.page(ctx, Feed, query, { calendar_id: id });
  }

  async create(ctx: Ctx, calendarId: string, { name, detail = 'full' }: CreateCalendarFeedDto): Promise<{ feed: Feed; url: string }> {
    const { token, hash } = newToken();
    const feed = await this.store.write(ctx, async (tx) => {
      const { id, project_id } = requireManaged(ctx, await this.calendars.lock(ctx, calendarId, tx));
      if ((await tx.list(Feed, { calendar_id: id })).length >= MOST_FEEDS)
        throw CommonErrors.resourceConflict({ message: `A calendar can have at most ${MOST_FEEDS} feeds; revoke one first.` });
      return tx.insert(Feed, { project_id, calendar_id: id, name, detail, token_hash: hash });
    });
    return { feed, url: `${this.settings.baseUrl}/c/${token}.ics` };
  }

  /** Makes the address respond with 404. */
  async revoke(ctx: Ctx, calendarId: string, id: string): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      requireManaged(ctx, await this.calendars.get(ctx, calendarId, tx));
      const feed = await tx.target(Feed, id);
      if (feed.calendar_id !== calendarId) throw CommonErrors.notFound();
      await tx.delete(feed);
    });
  }
}

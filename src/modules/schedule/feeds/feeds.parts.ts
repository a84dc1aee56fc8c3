import type { DomainModuleOptions } from '../../../kit/index.js';
import { CalendarFeeds } from './calendar-feeds.service.js';
import { FeedReader } from './feed-reader.service.js';
import { FeedController } from './feed.controller.js';
import { OrgCalendarFeedsController } from './org-calendar-feeds.controller.js';

/** `feeds/`: secret addresses at which calendar programs subscribe to a calendar. */
export const FEEDS = {
  controllers: [FeedController, OrgCalendarFeedsController],
  providers: [CalendarFeeds, FeedReader],
} satisfies Partial<DomainModuleOptions>;

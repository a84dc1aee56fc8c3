import { bothOf, Field, Listing, ListQuery, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import { FEED_DETAILS, type Feed, type FeedDetail } from '../model/setup/feed.entity.js';

/** A request for an address at which calendar programs subscribe to a calendar. */
export class CreateCalendarFeedDto {
  @Field.string({
    description: 'Who or what it is for, so that it can be revoked when it is no longer needed.',
    example: 'Reception screen',
    maxLength: 100,
  })
  name: string;

  @Field.oneOf(FEED_DETAILS, {
    description: 'full: titles, places and descriptions; busy: only when the calendar is busy. Neither contains people.',
    example: 'busy',
    required: false,
    default: 'full',
  })
  detail?: FeedDetail;
}

/** A secret address at which calendar programs subscribe to a calendar's live events. */
export class CalendarFeedDto extends bothOf(ResourceDto, shownOf(CreateCalendarFeedDto, { name: true, detail: true })) {
  @Field.constant('calendar_feed')
  object: string;

  @Field.uuid({
    description: 'The calendar.',
    example: EXAMPLE.calendar,
  })
  calendar_id: string;

  @Field.string({
    description:
      'The address. Returned only when the feed is created: null in lists and when a request is repeated with its Idempotency-Key. ' +
      'Create another feed if it is lost.',
    example: 'https://suite.example.com/c/b1Zl0Q2Wm5nqY8xS3c7dK4fT6hJ9gR0vLpA-uE_iOwM.ics',
    nullable: true,
  })
  url: string | null;

  static from(this: void, feed: Feed, url: string | null = null): CalendarFeedDto {
    return { ...responseOf(CalendarFeedDto, feed), url };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class CalendarFeedsQuery extends ListQuery {}

import { Injectable } from '@nestjs/common';
import { Lazy } from '../../kit/index.js';

/**
 * Ids of records that exist, by the operation that lists them, or that can be called with them. A part of a record, such as a line, has the
 * operation that shows the record and the member with the part: `get_order.lines`. `list_tickets.next` is another record, and
 * `list_ticket_messages.parent` the one whose parts the operation lists.
 */
export type SampleIds = Readonly<Record<string, string>>;

/** The ids that the samples of the documentation send. Without a demo there are none, and samples show placeholders. */
@Injectable()
export class SampleIdsSource {
  private source = new Lazy<SampleIds>(async () => ({}));

  /** `find` is called once, when the ids are first needed. */
  offer(find: () => Promise<SampleIds>): void {
    this.source = new Lazy(find);
  }

  /** No ids if they could not be found. */
  get(): Promise<SampleIds> {
    return this.source.get().catch(() => ({}));
  }
}

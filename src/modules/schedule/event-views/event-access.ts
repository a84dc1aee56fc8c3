import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { isVisible } from '../calendars/calendar-access.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';

/** The resource of an id in the API: an event or series, or one instance of a series. */
export interface NamedEvent {
  event: ScheduleEvent;
  /** Null for a single event and for a series as a whole. */
  instance: Instance | null;
  calendar: Calendar;
}

/** Finds events by the ids that callers have. Events of a private calendar are found by its owner only. */
@Injectable()
export class EventAccess {
  constructor(private readonly store: Store) {}

  /** Reads without a lock; `not_found` if there is no such event or instance. */
  async get(ctx: Ctx, id: string, tx?: Tx): Promise<NamedEvent> {
    const reader: Pick<Tx, 'find'> = tx ?? { find: (entity, key) => this.store.find(ctx, entity, key) };
    let event = await reader.find(ScheduleEvent, id);
    let instance: Instance | null = null;
    if (!event) {
      instance = await reader.find(Instance, id);
      event = instance && (await reader.find(ScheduleEvent, instance.event_id));
    }
    const calendar = event && (await reader.find(Calendar, event.calendar_id));
    if (!event || !calendar || !isVisible(ctx, calendar)) throw CommonErrors.notFound();
    return { event, instance, calendar };
  }
}

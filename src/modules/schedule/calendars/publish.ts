import type { EventData, EventDefinition, Tx } from '../../../kit/index.js';
import type { Calendar } from '../model/setup/calendar.entity.js';

/** For the descriptions of events. */
export const NOT_PRIVATE = 'Private calendars emit no events.';

/**
 * Emits an event about a calendar or what belongs to it. A private calendar emits none: endpoints and the list of events belong to the
 * whole organization, so other members would see it.
 */
export function publish<P extends object>(
  tx: Tx,
  { visibility, project_id }: Pick<Calendar, 'visibility' | 'project_id'>,
  event: EventDefinition<P>,
  data: Omit<EventData<P>, 'projectId'>,
): void {
  if (visibility === 'project') tx.emit(event, { ...data, projectId: project_id });
}

import { defineErrors } from '../../../../kit/index.js';

/** What to do about a conflict. */
export const CHOICE = 'choose one of the slots of get_calendar_availability, or leave out dates of a series with recurrence.exdates.';

/** Errors specific to the schedule module. */
export const ScheduleErrors = defineErrors({
  /** The calendar is inactive: it can be read, but nothing can be created, changed or invited to in it. */
  calendarInactive: {
    code: 'calendar_inactive',
    type: 'conflict_error',
    status: 409,
    message: 'The calendar is inactive; choose another one, or ask a member to activate it.',
  },
  /** `conflicts` lists up to 20 busy events of the calendar. */
  scheduleConflict: {
    code: 'schedule_conflict',
    type: 'conflict_error',
    status: 409,
    message: `The calendar has another busy event at this time; ${CHOICE}`,
  },
  /** `conflicts` lists up to 20 uses of the resources. */
  resourceConflict: {
    code: 'resource_conflict',
    type: 'conflict_error',
    status: 409,
    message: `A resource is taken at this time; ${CHOICE}`,
  },
  /** The slot of a booking is taken or not offered. */
  slotUnavailable: {
    code: 'slot_unavailable',
    type: 'conflict_error',
    status: 409,
    message: 'This time is no longer available; choose another one.',
  },
  /** A booking cannot do this from its status. */
  invalidTransition: {
    code: 'invalid_transition',
    type: 'invalid_request_error',
    status: 400,
    message: 'This is not possible in the current status of the booking.',
    description: 'Read the booking again and do what its status permits; the message says why this is not possible.',
  },
  /** The page asks for a code that is mailed to the guest: none was sent with the request, or a wrong one. */
  codeRequired: {
    code: 'code_required',
    type: 'permission_error',
    status: 403,
    message: 'A code was mailed to the guest; send the request again with it.',
  },
});

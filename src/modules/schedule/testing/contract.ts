import type { ModuleContract } from '../../../../test/contract/module-contract.js';
import { BookingFixture } from './booking-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { mailSamples } from './mail-samples.js';

export const contract: ModuleContract = {
  mails: mailSamples,
  operations: `
    list_calendars list_calendar_events list_calendar_resources get_calendar_availability list_event_templates list_bookings
    get_booking create_event get_event update_event delete_event restore_event list_event_invitees add_event_invitees remove_event_invitee
  `,
  withoutUndo: [
    'delete_org_booking_page',
    'delete_org_calendar',
    'delete_org_calendar_feed',
    'delete_org_calendar_override',
    'delete_org_calendar_resource',
    'delete_org_event_template',
    'delete_org_resource_availability',
    'delete_org_resource_override',
  ],
  openWorld: ['add_event_invitees', 'create_event', 'delete_event', 'remove_event_invitee', 'restore_event', 'update_event'],
  emailFields: [
    'POST /api/v1/ext/schedule/events invitees.0.email (email)',
    'POST /api/v1/ext/schedule/events/{id}/invitees invitees.0.email (email)',
    'POST /api/v1/org/schedule/events invitees.0.email (email)',
    'POST /api/v1/org/schedule/events/{id}/invitees invitees.0.email (email)',
    'POST /api/v1/public/booking/{slug}/bookings email (email)',
    'POST /b/{slug}/book email (string)',
  ],
  rarelySucceed: {
    create_event: 'Most combinations of its times contradict each other.',
    restore_event: 'The event must be a deleted one.',
    remove_event_invitee: 'The invitee must be one of this very event.',
  },
  prepare,
};

/** A calendar with a room, a booking page and bookings. */
async function prepare(app: TestApp, workspace: Workspace): Promise<void> {
  const bookings = await BookingFixture.open(app, { resources: [{ name: 'Room Ada' }] }, workspace);
  for (const slot of (await bookings.slots()).slice(0, 5)) await bookings.book(slot);
}

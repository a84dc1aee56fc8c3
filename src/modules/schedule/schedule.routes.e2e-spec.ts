import { describeModule } from '../../../test/contract/module/describe-module.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import type { SampleContext } from '../../../test/contract/module/module-samples.js';
import { EXT_SCHEDULE, makeCalendar, ORG_SCHEDULE } from './testing/schedule-fixture.js';

const calendar = async ({ workspace, project, unique }: SampleContext) =>
  (await makeCalendar(workspace, { project_id: project.id, name: unique() })).id;

/** Visitors book in live mode, samples are booked in test mode. */
const booking = async (context: SampleContext) => {
  const screen = await context.workspace.signIn();
  const values = {
    calendar_id: await calendar(context),
    slug: `page-${context.unique()}`.toLowerCase(),
    title: 'Meet',
    duration_minutes: [30],
  };
  const { body: page } = await screen.post(`${ORG_SCHEDULE}/booking-pages`, values);
  if (context.mode === 'test') return (await screen.post(`${ORG_SCHEDULE}/booking-pages/${page.id}/sample-booking`)).body.id as string;
  const { body: slots } = await screen.get(`/api/v1/public/booking/${page.slug}/slots`);
  const guest = { start_at: slots.data[0].start_at, name: 'Ada', email: `${context.unique()}@example.com` };
  return (await screen.post(`/api/v1/public/booking/${page.slug}/bookings`, guest)).body.booking.id as string;
};

const invitee = async ({ client, unique }: SampleContext, { id }: Readonly<Record<string, string>>) => {
  const { body } = await client.post(`${EXT_SCHEDULE}/events/${id}/invitees`, { invitees: [{ email: `${unique()}@example.com` }] });
  return (body.data as { id: string }[])[0].id;
};

await describeModule(await sharedApp(), 'schedule', {
  // samples make calendars and templates
  scopings: {
    list_calendars: 'configuration',
    list_org_calendars: 'configuration',
    list_event_templates: 'configuration',
    list_org_event_templates: 'configuration',
    get_schedule_context: 'configuration',
  },
  samples: {
    create_event: async (context) => ({
      calendar_id: await calendar(context),
      title: `Event ${context.unique()}`,
      start_at: '2027-03-29T09:00:00Z',
      end_at: '2027-03-29T10:00:00Z',
    }),
    update_event: ({ unique }) => ({ title: `Event ${unique()}` }),
    get_calendar_availability: () => ({ from: '2027-03-01T00:00:00Z', to: '2027-03-08T00:00:00Z' }),
    add_event_invitees: ({ unique }) => ({ invitees: [{ email: `${unique()}@example.com` }] }),
  },
  resources: {
    '/calendars/{id}': { make: calendar, scoping: 'configuration' },
    '/bookings/{id}': { make: booking },
    '/events/{id}/invitees/{inviteeId}': { make: invitee },
    '/events/{id}/invitees/{id}': { make: invitee },
  },
  readersMay: {
    create_org_calendar_feed: 'With it alone, a member shares the events of their own private calendar.',
    delete_org_calendar_feed: 'With it alone, a member revokes feeds of their own private calendar.',
  },
  // a leak that only these show passes the checks
  unreached: [
    'list_calendars owner_id',
    'list_calendar_resources',
    'get_calendar_availability resource_id',
    'list_calendar_events',
    'create_event resource_ids',
    'update_event resource_ids',
    'list_event_invitees response',
    'list_event_invitees email',
    'list_bookings calendar_id',
    'list_bookings resource_id',
    'list_bookings guest_email',
    'booking.status pending',
    'booking.status rejected',
    'booking.status declined',
    'booking.status no_show',
  ],
});

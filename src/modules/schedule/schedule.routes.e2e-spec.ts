import { describeModule } from '../../../test/kit/describe-module.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';
import type { SampleContext } from '../../../test/kit/module-samples.js';
import { EXT_SCHEDULE, makeCalendar } from '../../../test/kit/schedule-fixture.js';

const calendar = async ({ workspace, project, unique }: SampleContext) =>
  (await makeCalendar(workspace, { project_id: project.id, name: unique() })).id;

const invitee = async ({ client, unique }: SampleContext, { id }: Readonly<Record<string, string>>) => {
  const { body } = await client.post(`${EXT_SCHEDULE}/events/${id}/invitees`, { invitees: [{ email: `${unique()}@example.com` }] });
  return (body.data as { id: string }[])[0].id;
};

await describeModule(await sharedApp(), 'schedule', {
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
    '/events/{id}/invitees/{inviteeId}': { make: invitee },
    '/events/{id}/invitees/{id}': { make: invitee },
  },
});

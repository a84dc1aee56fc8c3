import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Store, TZ_RELEASE, type BusinessEntity, type ConfigurationEntity, type Ctx } from '../../../kit/index.js';
import { FeedReader } from '../feeds/feed-reader.service.js';
import { Invitations, type AnnouncedChange } from '../invitations/invitations.service.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Invitee } from '../model/records/invitee.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { EventTemplate } from '../model/setup/event-template.entity.js';
import { expand, instantsOf } from '../recurrence/expand.js';
import { parseRule } from '../recurrence/recurrence-rule.js';
import { Reminders } from '../reminders/reminders.service.js';

type Values<E extends BusinessEntity | ConfigurationEntity> = Partial<Omit<E, 'id' | 'version' | 'created_at' | 'updated_at'>>;

/** For `TestApp.inside`: a calendar with a template of its own. */
export function createCalendar(
  app: NestFastifyApplication,
  ctx: Ctx,
  project_id: string,
  values: Values<Calendar> = {},
  reminder_minutes: number[] = [],
) {
  return app.get(Store).write(ctx, async (tx) => {
    const name = `Calendar ${Math.random()}`;
    const core = { title: 'required', location: 'optional', description: 'optional' } as const;
    const template = await tx.insert(EventTemplate, { project_id, name, core, metadata_schema: { type: 'object' }, reminder_minutes });
    return tx.insert(Calendar, { project_id, name, timezone: 'Europe/Berlin', template_id: template.id, ...values });
  });
}

/** For `TestApp.inside`: an event with its instances and invitees, who are mailed. */
export function createEvent(app: NestFastifyApplication, ctx: Ctx, calendar: Calendar, values: Values<ScheduleEvent>, emails: string[]) {
  return app.get(Store).write(ctx, async (tx) => {
    const event = await tx.insert(ScheduleEvent, {
      project_id: calendar.project_id,
      calendar_id: calendar.id,
      template_id: calendar.template_id,
      title: 'Planning',
      timezone: calendar.timezone,
      wall_clock: true,
      tz_release: TZ_RELEASE,
      start_local: '2041-03-25T09:00:00',
      start_at: new Date('2041-03-25T08:00:00Z'),
      end_at: new Date('2041-03-25T09:00:00Z'),
      ical_uid: `${Math.random()}@suite.example.com`,
      created_by: ctx.actor,
      invitee_count: emails.length,
      ...values,
    });
    const start = { local: event.start_on ?? event.start_local, zone: event.timezone };
    const locals = event.rrule === null ? [start.local] : expand(parseRule(event.rrule, start), start.local);
    const length = event.end_at.getTime() - event.start_at.getTime();
    const { project_id, calendar_id, status } = event;
    for (const { local, at } of instantsOf(locals, start)) {
      const start_local = local.length === 10 ? `${local}T00:00:00` : local;
      const times = {
        start_local,
        original_start_local: start_local,
        start_at: at,
        original_start_at: at,
        end_at: new Date(at.getTime() + length),
      };
      await tx.insert(Instance, { project_id, calendar_id, event_id: event.id, ...times, end_on: event.end_on, status, busy: true });
    }
    const invitees: Invitee[] = [];
    for (const email of emails)
      invitees.push(await tx.insert(Invitee, { project_id, event_id: event.id, email, name: email.split('@')[0] }));
    await app.get(Reminders).plan(tx, event);
    await app.get(Invitations).invite(ctx, tx, event, invitees);
    return event;
  });
}

/** For `TestApp.inside`: changes an event as a whole, raises its sequence and announces that. */
export function changeEvent(app: NestFastifyApplication, ctx: Ctx, id: string, changes: Values<ScheduleEvent>, announced: AnnouncedChange) {
  return app.get(Store).write(ctx, async (tx) => {
    const event = await tx.lock(ScheduleEvent, id);
    const changed = await tx.update(event, { ...changes, sequence: event.sequence + 1 });
    await app.get(Invitations).announceChange(ctx, tx, changed, announced);
    return changed;
  });
}

/** For `TestApp.inside`: moves the date with this original local start and announces that date. */
export function moveInstance(
  app: NestFastifyApplication,
  ctx: Ctx,
  eventId: string,
  original_start_local: string,
  changes: Values<Instance>,
) {
  return app.get(Store).write(ctx, async (tx) => {
    const event = await tx.lock(ScheduleEvent, eventId);
    const [instance] = await tx.lockWhere(Instance, { event_id: eventId, original_start_local });
    const changed = await tx.update(event, { sequence: event.sequence + 1 });
    const moved = await tx.update(instance, changes as Partial<Instance>);
    await app.get(Reminders).plan(tx, changed);
    await app.get(Invitations).announceChange(ctx, tx, changed, { instances: [moved] });
  });
}

/** For `TestApp.inside`: the text of a feed at a time, and the number of its format. */
export async function feedAt(app: NestFastifyApplication, token: string, now: Date) {
  const reader = app.get(FeedReader, { strict: false });
  const opened = await reader.open(token);
  const [format] = (await reader.state(opened, now)).split('\n');
  return { format: Number(format), text: await reader.read(opened, now) };
}

/** For `TestApp.inside`: cancels the event for all, for one invitee, or one date of it. */
export function cancelEvent(app: NestFastifyApplication, ctx: Ctx, id: string, only: { email?: string; originalStart?: string } = {}) {
  return app.get(Store).write(ctx, async (tx) => {
    const event = await tx.lock(ScheduleEvent, id);
    const raised = await tx.update(event, { sequence: event.sequence + 1 });
    const invitees = only.email === undefined ? undefined : await tx.list(Invitee, { event_id: id, email: only.email });
    const instances =
      only.originalStart === undefined ? undefined : await tx.list(Instance, { event_id: id, original_start_local: only.originalStart });
    await app.get(Invitations).announceCancellation(ctx, tx, raised, { invitees, instances });
    for (const invitee of invitees ?? []) await tx.delete(invitee);
    if (!invitees && !instances) await tx.delete(raised);
  });
}

/** For `TestApp.inside`: mails the event to its organizer. */
export function notifyHost(
  app: NestFastifyApplication,
  ctx: Ctx,
  event: ScheduleEvent,
  mail: { subject: string; opening: string; replyTo?: string },
) {
  return app.get(Store).write(ctx, (tx) => app.get(Invitations).notifyHost(ctx, tx, event, mail));
}

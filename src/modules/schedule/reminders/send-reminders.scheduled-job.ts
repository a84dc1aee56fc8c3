import {
  Mails,
  organizationNameOf,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { mailsAbout, onlyReaderOf } from '../invitations/event-mails.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { bookingOf, Invitations, without } from '../invitations/invitations.service.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Invitee } from '../model/records/invitee.entity.js';
import { Reminder } from '../model/records/reminder.entity.js';

interface DueReminder extends DueRow {
  instance_id: string;
  organization: string;
}

/**
 * Mails reminders to everybody who has not declined. One that is late is sent only before the start; several of an instance that are due
 * at once are one mail.
 */
@ScheduledJob({
  name: 'schedule.reminders',
  everySeconds: 30,
})
export class SendReminders implements ScheduledJobHandler<DueReminder> {
  constructor(
    private readonly store: Store,
    private readonly mails: Mails,
    private readonly invitations: Invitations,
  ) {}

  due(now: Date): Sql {
    // the expression is that of an index
    return sql.unscoped('due rows of all organizations')`
      SELECT r.id, r.organization_id, r.project_id, r.mode, r.instance_id, ${organizationNameOf('r')} AS organization
      FROM ${table(Reminder)} r WHERE CASE WHEN r.sent_at IS NULL THEN r.due_at END <= ${now}`;
  }

  handle(ctx: Ctx, { instance_id, organization }: DueReminder, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const unsent = await tx.lockWhere(Reminder, { instance_id, sent_at: null });
      const due = unsent.filter(({ due_at }) => due_at <= now);
      // another run may have sent them, or the instance may have been moved
      if (due.length === 0) return;
      for (const reminder of due) await tx.update(reminder, { sent_at: now });
      const instance = await tx.get(Instance, instance_id);
      if (instance.start_at <= now || instance.status === 'cancelled') return;
      const event = await tx.get(ScheduleEvent, instance.event_id);
      const title = instance.overrides.title ?? event.title;
      const opening = `${event.organizer?.name ?? organization} reminds you of an event.`;
      const subject = `Reminder: ${title}`;
      const onlyReader = onlyReaderOf(await tx.get(Calendar, event.calendar_id));
      const mailOf = mailsAbout({ event, instance, instances: [], organization, onlyReader });
      const invitees = await tx.list(Invitee, { event_id: event.id, response: ['needs_action', 'accepted', 'tentative'] });
      const booking = await bookingOf(tx, event);
      const others = without(invitees, booking?.guest_email);
      // until the booking is confirmed, it is not certain that the appointment takes place
      if (booking?.status === 'confirmed' && others.length < invitees.length)
        await this.invitations.mailGuest(ctx, tx, booking, event, { notice: 'reminder', isCertain: true });
      for (const invitee of others) {
        const link = await this.invitations.linkFor(tx, invitee);
        await this.mails.send(ctx, tx, mailOf({ to: invitee.email, subject, opening, link, replyTo: event.organizer?.email }));
      }
    });
  }
}

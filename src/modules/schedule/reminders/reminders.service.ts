import { Injectable } from '@nestjs/common';
import { own, sql, table, type Sql, type Tx } from '../../../kit/index.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Reminder } from '../model/records/reminder.entity.js';
import { EventTemplate } from '../model/setup/event-template.entity.js';

const dueAt = (minutes: Sql) => sql`(i.start_at - ${minutes} * interval '1 minute')`;
const [PLANNED, OF_TEMPLATE] = [dueAt(sql`r.minutes`), dueAt(sql`m`)];

/** Plans the reminders of events from the minutes of their template. */
@Injectable()
export class Reminders {
  /**
   * Makes the reminders of the event match its instances; call it in the transaction of a change of either or of the invitees. A reminder
   * that was sent stays unless the instance was moved. Reminders whose time has passed are not planned: invitees who are invited or told
   * of a move then need none.
   */
  async plan(tx: Tx, event: ScheduleEvent): Promise<void> {
    const { reminder_minutes } = await tx.get(EventTemplate, event.template_id);
    const minutes = event.invitee_count > 0 && event.status !== 'cancelled' ? reminder_minutes : [];
    await tx.sql(
      sql`DELETE FROM ${table(Reminder)} r USING ${table(Instance)} i
        WHERE ${own('i')} AND i.event_id = ${event.id} AND ${own('r')} AND r.instance_id = i.id AND r.sent_at IS NULL
          AND (r.minutes <> ALL (${minutes}::integer[]) OR i.status = 'cancelled'
            OR (${PLANNED} <= now() AND r.due_at <> ${PLANNED}))`,
    );
    if (minutes.length === 0) return;
    await tx.sql(
      sql`INSERT INTO ${table(Reminder)} AS r (id, organization_id, project_id, mode, instance_id, minutes, due_at)
        SELECT gen_random_uuid(), i.organization_id, i.project_id, i.mode, i.id, m, ${OF_TEMPLATE}
        FROM ${table(Instance)} i CROSS JOIN unnest(${minutes}::integer[]) AS m
        WHERE ${own('i')} AND i.event_id = ${event.id} AND i.status <> 'cancelled' AND ${OF_TEMPLATE} > now()
        ON CONFLICT (instance_id, minutes) DO UPDATE
          SET due_at = excluded.due_at, sent_at = NULL, updated_at = now(), version = r.version + 1
          WHERE r.due_at <> excluded.due_at`,
    );
  }
}

import { Injectable } from '@nestjs/common';
import { sql, type Ctx, type Tx } from '../../../kit/index.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import { EventTemplate } from '../model/setup/event-template.entity.js';

const dueAt = (minutes: string) => `(i.start_at - ${minutes} * interval '1 minute')`;

/** Plans the reminders of events from the minutes of their template. */
@Injectable()
export class Reminders {
  /**
   * Makes the reminders of the event match its instances; call it in the transaction of a change of either or of the invitees. A reminder
   * that was sent stays unless the instance was moved. Reminders whose time has passed are not planned: invitees who are invited or told
   * of a move then need none.
   */
  async plan(ctx: Ctx, tx: Tx, event: ScheduleEvent): Promise<void> {
    const { reminder_minutes } = await tx.get(EventTemplate, event.template_id);
    const minutes = event.invitee_count > 0 && event.status !== 'cancelled' ? reminder_minutes : [];
    const values = [ctx.organizationId, ctx.mode, event.id, minutes];
    await tx.query(
      sql.legacy(
        `DELETE FROM schedule_reminders r USING schedule_instances i
       WHERE i.organization_id = $1 AND i.mode = $2 AND i.event_id = $3 AND r.instance_id = i.id AND r.sent_at IS NULL
         AND (r.minutes <> ALL ($4::integer[]) OR i.status = 'cancelled'
           OR (${dueAt('r.minutes')} <= now() AND r.due_at <> ${dueAt('r.minutes')}))`,
        values,
      ),
    );
    if (minutes.length === 0) return;
    await tx.query(
      sql.legacy(
        `INSERT INTO schedule_reminders AS r (id, organization_id, project_id, mode, instance_id, minutes, due_at)
       SELECT gen_random_uuid(), i.organization_id, i.project_id, i.mode, i.id, m, ${dueAt('m')}
       FROM schedule_instances i CROSS JOIN unnest($4::integer[]) AS m
       WHERE i.organization_id = $1 AND i.mode = $2 AND i.event_id = $3 AND i.status <> 'cancelled' AND ${dueAt('m')} > now()
       ON CONFLICT (instance_id, minutes) DO UPDATE
         SET due_at = excluded.due_at, sent_at = NULL, updated_at = now(), version = r.version + 1
         WHERE r.due_at <> excluded.due_at`,
        values,
      ),
    );
  }
}

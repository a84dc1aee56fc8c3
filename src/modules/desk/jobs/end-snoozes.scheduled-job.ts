import { ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { TicketChanges } from '../changes/ticket-changes.js';
import { Ticket } from '../model/ticket.entity.js';

/** Ends snoozes, which notifies listeners that a ticket is active again. */
@ScheduledJob({
  name: 'desk.end_snoozes',
  everySeconds: 60,
})
export class EndSnoozes implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly changes: TicketChanges,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT t.id, t.organization_id, t.project_id, t.mode FROM ${table(Ticket)} t WHERE t.snoozed_until_at <= ${now}`;
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const ticket = await tx.lock(Ticket, id);
      if (ticket.snoozed_until_at === null || ticket.snoozed_until_at > now) return;
      await this.changes.apply(tx, ticket, { values: { snoozed_until_at: null }, trigger: 'update' });
    });
  }
}

import { ScheduledJob, Store, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { TicketChanges } from '../changes/ticket-changes.js';
import { Ticket } from '../model/ticket.entity.js';

/** Ends snoozes, which tells listeners that a ticket is back. */
@ScheduledJob({
  name: 'desk.end_snoozes',
  everySeconds: 60,
})
export class EndSnoozes implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly changes: TicketChanges,
  ) {}

  due(now: Date): DueQuery {
    return {
      sql: `SELECT id, organization_id, project_id, mode FROM desk_tickets WHERE snoozed_until_at <= $1`,
      values: [now],
    };
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const ticket = await tx.lock(Ticket, id);
      if (ticket.snoozed_until_at === null || ticket.snoozed_until_at > now) return;
      await this.changes.apply(tx, ticket, { values: { snoozed_until_at: null }, trigger: 'update' });
    });
  }
}

import { ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { TicketChanges } from '../changes/ticket-changes.js';
import { DeskConfig, defaultStatus } from '../config/desk-config.js';
import { Ticket } from '../model/ticket.entity.js';

/** Closes tickets that were solved long enough ago. */
@ScheduledJob({
  name: 'desk.close_solved',
  everySeconds: 300,
})
export class CloseSolved implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly config: DeskConfig,
    private readonly changes: TicketChanges,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT t.id, t.organization_id, t.project_id, t.mode FROM ${table(Ticket)} t WHERE t.close_due_at <= ${now}`;
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const ticket = await tx.lock(Ticket, id);
      if (ticket.close_due_at === null || ticket.close_due_at > now) return;
      const status = defaultStatus(await this.config.of(tx, ticket.project_id), 'closed');
      await this.changes.apply(tx, ticket, { values: { status_id: status.id, status_category: 'closed' }, trigger: 'auto_close' });
    });
  }
}

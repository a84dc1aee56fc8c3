import { ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { TicketChanges } from '../changes/ticket-changes.js';
import { Ticket } from '../model/ticket.entity.js';

const BATCH = 100;

interface DueTickets extends DueRow {
  ticket_ids: string[];
}

/**
 * Marks and reports SLA clocks whose targets have passed. The tickets of one tenant are settled together; if that fails, one by one, so
 * that a ticket that fails holds back no other.
 */
@ScheduledJob({
  name: 'desk.report_breaches',
  everySeconds: 15,
})
export class ReportBreaches implements ScheduledJobHandler<DueTickets> {
  constructor(
    private readonly store: Store,
    private readonly changes: TicketChanges,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT (array_agg(id))[1] AS id, organization_id, project_id, mode, array_agg(id) AS ticket_ids
      FROM (SELECT t.id, t.organization_id, t.project_id, t.mode,
          (row_number() OVER (PARTITION BY t.organization_id, t.project_id, t.mode ORDER BY t.id) - 1) / ${BATCH}::integer AS batch
        FROM ${table(Ticket)} t WHERE t.breach_due_at <= ${now}) AS due
      GROUP BY organization_id, project_id, mode, batch`;
  }

  async handle(ctx: Ctx, { ticket_ids }: DueTickets, now: Date): Promise<void> {
    try {
      await this.settle(ctx, ticket_ids, now);
    } catch (error) {
      if (ticket_ids.length === 1) throw error;
      const outcomes = [];
      for (const id of ticket_ids)
        outcomes.push(
          await this.settle(ctx, [id], now).then(
            () => null,
            (reason: unknown) => reason,
          ),
        );
      const failure = outcomes.find((outcome) => outcome !== null);
      if (failure !== undefined) throw failure;
    }
  }

  private settle(ctx: Ctx, ids: readonly string[], now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const tickets = await tx.lockWhere(Ticket, { id: [...ids] });
      await this.changes.settle(
        tx,
        tickets.filter(({ breach_due_at }) => breach_due_at !== null && breach_due_at <= now),
      );
    });
  }
}

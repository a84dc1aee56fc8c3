import { uuidv7 } from 'uuidv7';
import { own, sql, table, type Tx } from '../../../kit/index.js';
import { newBreaches } from '../clocks/ticket-clocks.js';
import type { Ticket } from '../model/ticket.entity.js';
import { TicketDto } from '../ticket-views/ticket.dto.js';
import { TicketEvents } from '../ticket-views/tickets.events.js';
import { SlaBreach } from '../model/breach.entity.js';

/** A ticket before and after a change. */
interface ChangedTicket {
  before: Ticket;
  after: Ticket;
}

/** Stores the breaches of changed tickets of one project by one statement, because many can be due at once, and emits their events. */
export function reportBreaches(tx: Tx, changes: readonly ChangedTicket[]): void {
  const breaches = changes.flatMap(({ before, after }) =>
    newBreaches(before.clocks, after.clocks).map((breach) => ({ ...breach, ticket: after })),
  );
  if (breaches.length === 0) return;
  const [{ project_id }] = breaches.map(({ ticket }) => ticket);
  tx.advanced.pipelined.sql(
    sql`INSERT INTO ${table(SlaBreach)} (organization_id, mode, project_id, id, ticket_id, metric, cycle, due_at)
      SELECT ${own.organization}, ${own.mode}, ${project_id}, n.*
      FROM unnest(${breaches.map(() => uuidv7())}::uuid[], ${breaches.map(({ ticket }) => ticket.id)}::uuid[],
        ${breaches.map(({ metric }) => metric)}::text[], ${breaches.map(({ cycle }) => cycle)}::integer[],
        ${breaches.map(({ due_at }) => due_at.toISOString())}::timestamptz[]) AS n (id, ticket_id, metric, cycle, due_at)`,
  );
  for (const { metric, due_at, ticket } of breaches) {
    const { project_id: projectId } = ticket;
    const object = TicketDto.from(ticket);
    tx.emit(TicketEvents.slaBreached, { object, context: { metric, due_at: due_at.toISOString() }, projectId });
    tx.emit(TicketEvents.escalated, { object, projectId });
  }
}

import { uuidv7 } from 'uuidv7';
import { sql, type Tx } from '../../../kit/index.js';
import { newBreaches } from '../clocks/ticket-clocks.js';
import type { Ticket } from '../model/ticket.entity.js';
import { TicketDto } from '../ticket-views/ticket.dto.js';
import { TicketEvents } from '../ticket-views/tickets.events.js';

/** A ticket before and after a change. */
interface ChangedTicket {
  before: Ticket;
  after: Ticket;
}

/** Stores the breaches of changed tickets of one tenant by one statement, because many can be due at once, and emits their events. */
export function reportBreaches(tx: Tx, changes: readonly ChangedTicket[]): void {
  const breaches = changes.flatMap(({ before, after }) =>
    newBreaches(before.clocks, after.clocks).map((breach) => ({ ...breach, ticket: after })),
  );
  if (breaches.length === 0) return;
  const [{ organization_id, mode }] = breaches.map(({ ticket }) => ticket);
  tx.send(
    sql.legacy(
      `INSERT INTO desk_breaches (organization_id, mode, id, project_id, ticket_id, metric, cycle, due_at)
     SELECT $1, $2, * FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::integer[], $8::timestamptz[])`,
      [
        ...[organization_id, mode],
        breaches.map(() => uuidv7()),
        breaches.map(({ ticket }) => ticket.project_id),
        breaches.map(({ ticket }) => ticket.id),
        breaches.map(({ metric }) => metric),
        breaches.map(({ cycle }) => cycle),
        breaches.map(({ due_at }) => due_at.toISOString()),
      ],
    ),
  );
  for (const { metric, due_at, ticket } of breaches) {
    const { project_id: projectId } = ticket;
    const object = TicketDto.from(ticket);
    tx.emit(TicketEvents.slaBreached, { object, context: { metric, due_at: due_at.toISOString() }, projectId });
    tx.emit(TicketEvents.escalated, { object, projectId });
  }
}

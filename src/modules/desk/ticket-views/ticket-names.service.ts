import { Injectable } from '@nestjs/common';
import { CachedNames, Members, Store, type Ctx } from '../../../kit/index.js';
import { DeskAgent } from '../model/agent.entity.js';
import { DeskQueue } from '../model/queue.entity.js';
import { DeskStatus } from '../model/status.entity.js';
import { Ticket } from '../model/ticket.entity.js';
import { TicketDto } from './ticket.dto.js';

/** Adds the names of statuses, queues and agents, and the numbers of other tickets, to tickets that are read. */
@Injectable()
export class TicketNames {
  private readonly statuses: CachedNames;
  private readonly queues: CachedNames;
  private readonly agents: CachedNames;
  private readonly numbers: CachedNames;

  constructor(store: Store, members: Members) {
    this.statuses = new CachedNames((ctx, id) => store.list(ctx, DeskStatus, { id }));
    this.queues = new CachedNames((ctx, id) => store.list(ctx, DeskQueue, { id }));
    this.agents = new CachedNames(async (ctx, id) => {
      const agents = await store.list(ctx, DeskAgent, { id });
      const found = await members.byIds(
        ctx,
        agents.map(({ member_id }) => member_id),
      );
      const names = new Map(found.map((member) => [member.id, member.name]));
      return agents.flatMap(({ id: agent, member_id }) => {
        const name = names.get(member_id);
        return name === undefined ? [] : { id: agent, name };
      });
    });
    this.numbers = CachedNames.ofColumn(store, Ticket, 'number');
  }

  /** Returns the function that maps these tickets to DTOs; if the names are cached, it runs no query. */
  async mapper(ctx: Ctx, tickets: readonly Ticket[]): Promise<(ticket: Ticket) => TicketDto> {
    const idsOf = (name: 'status_id' | 'queue_id' | 'assignee_id') => tickets.map((ticket) => ticket[name]);
    const [status, queue, agent, number] = await Promise.all([
      this.statuses.of(ctx, idsOf('status_id')),
      this.queues.of(ctx, idsOf('queue_id')),
      this.agents.of(ctx, idsOf('assignee_id')),
      this.numbers.of(
        ctx,
        tickets.flatMap(({ follow_up_of_id, merged_into_id }) => [follow_up_of_id, merged_into_id]),
      ),
    ]);
    return (ticket) => ({
      ...TicketDto.from(ticket),
      status_name: status(ticket.status_id) ?? undefined,
      queue_name: queue(ticket.queue_id) ?? undefined,
      assignee_name: agent(ticket.assignee_id),
      follow_up_of_number: number(ticket.follow_up_of_id),
      merged_into_number: number(ticket.merged_into_id),
    });
  }
}

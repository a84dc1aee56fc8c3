import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { BusinessEntity, TimeColumn } from '../../../kit/index.js';
import { Ticket } from './ticket.entity.js';
import type { Metric } from './values.js';

/** A target that was missed; a clock is breached once in each cycle. Never changed. */
@Entity('desk_breaches')
@Unique('desk_breaches_metric_key', ['ticket_id', 'metric', 'cycle'])
@ForeignKey(() => Ticket, ['organization_id', 'project_id', 'mode', 'ticket_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'desk_breaches_ticket_id_fkey',
  onDelete: 'CASCADE',
})
@Check('desk_breaches_mode_check', `mode IN ('live', 'test')`)
@Check('desk_breaches_metric_check', `metric IN ('first_response', 'next_response', 'resolution')`)
@Check('desk_breaches_cycle_check', 'cycle > 0')
export class SlaBreach extends BusinessEntity {
  @Column('uuid')
  ticket_id: string;

  @Column('text')
  metric: Metric;

  /** From 1. */
  @Column('integer')
  cycle: number;

  @TimeColumn()
  due_at: Date;
}

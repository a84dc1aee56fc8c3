import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, TimeColumn } from '../../../../kit/index.js';
import { Instance } from './instance.entity.js';

/** A reminder of an instance that is mailed to its invitees once. */
@Entity('schedule_reminders')
@ForeignKey(() => Instance, ['organization_id', 'project_id', 'mode', 'instance_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'schedule_reminders_instance_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('schedule_reminders_minutes_key', ['instance_id', 'minutes'])
@Index('schedule_reminders_unsent_due_at_idx', { synchronize: false })
@Check('schedule_reminders_mode_check', `mode IN ('live', 'test')`)
@Check('schedule_reminders_minutes_check', 'minutes BETWEEN 0 AND 40320')
export class Reminder extends BusinessEntity {
  @Column('uuid')
  instance_id: string;

  /** Before the start. */
  @Column('integer')
  minutes: number;

  @TimeColumn()
  due_at: Date;

  /** Also set for a reminder that was too late. */
  @TimeColumn({ nullable: true })
  sent_at: Date | null;
}

import { TimeColumn } from '../../../kit/index.js';
import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn, VersionColumn } from 'typeorm';

/** A customer. It is outside every caller's scope, so it is not an entity of the store. */
@Entity('organizations')
@Check('organizations_kept_bodies_check', `kept_bodies IN ('none', 'test', 'errors')`)
@Check('organizations_erase_at_check', '(closed_at IS NULL) = (erase_at IS NULL) AND closed_at <= erase_at')
@Index('organizations_closed_idx', ['id'], { where: 'closed_at IS NOT NULL' })
export class Organization {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Whether members whose role manages keys, members or roles need a second factor. */
  @Column('boolean', { default: false })
  requires_second_factor: boolean;

  /** Which bodies of requests the log keeps: those of test calls, or also those of live calls that fail. */
  @Column('text', { default: 'errors' })
  kept_bodies: 'none' | 'test' | 'errors';

  /** Since when its keys, sessions and work have stopped; null unless it is being deleted. */
  @TimeColumn({ nullable: true })
  closed_at: Date | null;

  /** When its data is erased. */
  @TimeColumn({ nullable: true })
  erase_at: Date | null;

  /** Who closed it. */
  @Column('jsonb', { nullable: true })
  closed_by: { type: string; id: string | null } | null;

  @VersionColumn({
    type: 'integer',
    default: 1,
  })
  version: number;

  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
  })
  created_at: Date;

  @UpdateDateColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
  })
  updated_at: Date;
}

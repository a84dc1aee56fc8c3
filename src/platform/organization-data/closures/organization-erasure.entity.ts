import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../kit/index.js';

/**
 * What remains of an erased organization. While `erased_at` is null, triggers that keep rows let its rows go (`is_being_erased`).
 */
@Entity('organization_erasures')
@Check('organization_erasures_begun_at_check', 'begun_at >= erase_at')
export class OrganizationErasure {
  /** That of the organization. */
  @PrimaryColumn('uuid')
  id: string;

  @TimeColumn()
  closed_at: Date;

  /** Names no member: their id, or the name of an operator on their system. */
  @Column('jsonb')
  closed_by: { type: string; id: string | null };

  @TimeColumn()
  erase_at: Date;

  @TimeColumn()
  begun_at: Date;

  @TimeColumn({ nullable: true })
  erased_at: Date | null;

  /** Deleted rows by table. */
  @Column('jsonb')
  deleted: Record<string, number>;

  /** Of the last entry of its audit log, for whoever noted hashes elsewhere. */
  @Column('bigint')
  last_audit_sequence: string;

  @Column('bytea')
  last_audit_hash: Buffer;
}

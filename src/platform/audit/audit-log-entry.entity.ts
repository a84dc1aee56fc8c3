import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Scoped, TimeColumn } from '../../kit/index.js';

/**
 * One change of access, configuration or administration. Written by `append_audit_entries` only; a trigger refuses changes. It has the
 * structure of the kit's OrganizationEntity, except that nothing changes it.
 */
@Entity('audit_entries')
@Scoped('organization')
@Index('audit_entries_chain_idx', ['organization_id', 'sequence'])
@Index('audit_entries_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('audit_entries_object_idx', ['organization_id', 'object_id', 'created_at', 'id'], { where: 'object_id IS NOT NULL' })
@Index('audit_entries_actor_idx', ['organization_id', 'actor_id', 'created_at', 'id'], { where: 'actor_id IS NOT NULL' })
export class AuditLogEntry {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organization_id: string;

  get version(): number {
    return 1;
  }

  /** Counts the entries of the organization, without gaps. */
  @Column('bigint')
  sequence: string;

  @Column('text')
  action: string;

  @Column('text')
  object_type: string;

  @Column('text', { nullable: true })
  object_id: string | null;

  @Column('json', { nullable: true })
  before: Record<string, unknown> | null;

  @Column('json', { nullable: true })
  after: Record<string, unknown> | null;

  @Column('text')
  actor_type: string;

  @Column('text', { nullable: true })
  actor_id: string | null;

  /** The e-mail address, or the name of an operator on their system. */
  @Column('text', { nullable: true })
  actor_name: string | null;

  @Column('text', { nullable: true })
  operation: string | null;

  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { nullable: true })
  user_agent: string | null;

  @Column('text', { nullable: true })
  request_id: string | null;

  /** SHA-256 of the hash before it and of all other columns. */
  @Column('bytea')
  hash: Buffer;

  @TimeColumn()
  created_at: Date;

  /** Equal to created_at: every list filters by it. */
  @TimeColumn()
  updated_at: Date;
}

import { Column, Entity, Index } from 'typeorm';
import { BaseEntity, Scoped, type Actor, type Mode } from '../../../../kit/index.js';

/**
 * The audit trail: one row per action on a document, per run of a trigger (`papers.generation`) and per run of a form's
 * bridge (`papers.intake_bridge`; `trigger_id` is the bridge). Append-only: a database trigger rejects changes to live rows.
 * The trail of a deleted draft stays, so no foreign key refers to the document.
 */
@Scoped('business')
@Entity('document_audit_entries')
@Index('document_audit_entries_document_id_idx', ['document_id', 'created_at', 'id'])
@Index('document_audit_entries_generation_key', ['trigger_id', 'event_id'], {
  unique: true,
  where: `action = 'papers.generation'`,
})
@Index('document_audit_entries_bridge_key', ['trigger_id', 'event_id'], {
  unique: true,
  where: `action = 'papers.intake_bridge'`,
})
@Index('document_audit_entries_bridge_idx', ['organization_id', 'mode', 'created_at', 'id'], { where: `action = 'papers.intake_bridge'` })
@Index('document_audit_entries_generation_idx', ['organization_id', 'mode', 'created_at', 'id'], { where: `action = 'papers.generation'` })
export class AuditEntry extends BaseEntity {
  /** Null only for a generation that failed because its event had no project. */
  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('text')
  mode: Mode;

  @Column('uuid', { nullable: true })
  document_id: string | null;

  /** `papers.<what>`, for example `papers.approve`. */
  @Column('text')
  action: string;

  /** The member or key that made the request. */
  @Column('jsonb')
  actor: Actor;

  /** The member on whose behalf it was done, if not the actor. */
  @Column('text', { nullable: true })
  acted_for: string | null;

  @Column('text', { nullable: true })
  from_state: string | null;

  @Column('text', { nullable: true })
  to_state: string | null;

  /** `failed` only for runs of triggers, bridges and analyses. */
  @Column('text', { default: 'completed' })
  status: 'completed' | 'failed';

  @Column('uuid', { nullable: true })
  trigger_id: string | null;

  @Column('uuid', { nullable: true })
  event_id: string | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('jsonb', { default: {} })
  detail: Record<string, unknown>;
}

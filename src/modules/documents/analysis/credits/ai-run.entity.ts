import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { NotAudited, OrganizationEntity, TimeColumn, type Actor } from '../../../../kit/index.js';

/** An analysis that is running now and the credits reserved for it. Deleted once they are captured or released. */
@Entity('ai_runs')
@NotAudited()
@ForeignKey('organizations', ['organization_id'], ['id'], { name: 'ai_runs_organization_id_fkey' })
@Index('ai_runs_cache_key_key', ['organization_id', 'cache_key'], {
  unique: true,
  where: 'NOT forced',
})
@Index('ai_runs_expires_at_idx', ['expires_at'])
@Check('ai_runs_credits_check', 'credits >= 1')
export class AiRun extends OrganizationEntity {
  @Column('text')
  cache_key: string;

  /** Runs with `force` skip the cache and may run concurrently. */
  @Column('boolean')
  forced: boolean;

  @Column('integer')
  credits: number;

  /** By then the process that runs it has died, and the credits are released. */
  @TimeColumn()
  expires_at: Date;

  @Column('jsonb')
  actor: Actor;

  /** The analyzed document; null for a text that the call sent. */
  @Column('uuid', { nullable: true })
  document_id: string | null;
}

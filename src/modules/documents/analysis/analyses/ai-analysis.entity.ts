import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { NotAudited, OrganizationEntity, TimeColumn, type Actor, type Mode } from '../../../../kit/index.js';
import type { AnalysisKind, RisksResult, SummaryResult } from '../provider/provider.js';

/** A cached result, keyed by the text and the options. Not bound to a project, because a caller needs the text itself to find it. */
@Entity('ai_analyses')
@NotAudited()
@ForeignKey('organizations', ['organization_id'], ['id'], { name: 'ai_analyses_organization_id_fkey' })
@Unique('ai_analyses_cache_key_key', ['organization_id', 'mode', 'cache_key'])
@Index('ai_analyses_analysed_at_idx', ['analysed_at'])
@Check('ai_analyses_mode_check', `mode IN ('live', 'test')`)
@Check('ai_analyses_kind_check', `kind IN ('summary', 'risks')`)
@Check('ai_analyses_credits_check', 'credits >= 0')
export class AiAnalysis extends OrganizationEntity {
  @Column('text')
  mode: Mode;

  @Column('text')
  kind: AnalysisKind;

  /** SHA-256 of kind, text, perspective, focus, provider and model. */
  @Column('text')
  cache_key: string;

  @Column('text')
  perspective: string;

  @Column('text')
  provider: string;

  @Column('text')
  model: string;

  @Column('jsonb')
  result: SummaryResult | RisksResult;

  /** The credits charged. */
  @Column('integer')
  credits: number;

  @Column('jsonb')
  requested_by: Actor;

  /** SHA-256 of the Idempotency-Key of a call with `force`, so that a retry after a lost response is not charged again. */
  @Column('text', { nullable: true })
  retry_key: string | null;

  @TimeColumn()
  analysed_at: Date;
}

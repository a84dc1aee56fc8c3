import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';
import { CrmPipeline } from './crm-pipeline.entity.js';
import type { PipelineKind, StageKind } from './stage-kind.js';

/** A stage of a pipeline; the stages of a lead pipeline are the statuses of its leads. */
@Scoped('configuration')
@Entity('crm_stages')
@ForeignKey(
  () => CrmPipeline,
  ['organization_id', 'project_id', 'pipeline_kind', 'pipeline_id'],
  ['organization_id', 'project_id', 'kind', 'id'],
  {
    name: 'crm_stages_pipeline_id_fkey',
    onDelete: 'CASCADE',
  },
)
@Unique('crm_stages_reference_key', ['organization_id', 'project_id', 'pipeline_kind', 'pipeline_id', 'kind', 'id'])
@Index('crm_stages_name_key', { synchronize: false })
@Check('crm_stages_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('crm_stages_kind_check', `kind IN ('open', 'won', 'lost')`)
export class CrmStage extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('uuid')
  pipeline_id: string;

  /** The kind of the pipeline; the foreign key keeps both consistent. */
  @Column('text')
  pipeline_kind: PipelineKind;

  @Column('text')
  name: string;

  @Column('text')
  kind: StageKind;

  /** Position on the board, ascending. */
  @Column('integer')
  position: number;
}

import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';
import type { PipelineKind } from './stage-kind.js';

/** A pipeline of leads or deals. A project has at most one default of each kind. */
@Scoped('configuration')
@Entity('crm_pipelines')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'crm_pipelines_project_id_fkey' })
@Unique('crm_pipelines_reference_key', ['organization_id', 'project_id', 'kind', 'id'])
@Index('crm_pipelines_name_key', { synchronize: false })
@Index('crm_pipelines_default_key', ['project_id', 'kind'], {
  unique: true,
  where: 'is_default',
})
@Check('crm_pipelines_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('crm_pipelines_kind_check', `kind IN ('lead', 'deal')`)
export class CrmPipeline extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  kind: PipelineKind;

  @Column('text')
  name: string;

  @Column('boolean', { default: false })
  is_default: boolean;
}

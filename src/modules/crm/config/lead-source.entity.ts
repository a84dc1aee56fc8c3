import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';

/** The origin of leads, for reports on acquisition. */
@Scoped('configuration')
@Entity('lead_sources')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'lead_sources_project_id_fkey' })
@Unique('lead_sources_reference_key', ['organization_id', 'project_id', 'id'])
@Index('lead_sources_name_key', { synchronize: false })
@Check('lead_sources_name_check', 'length(name) BETWEEN 1 AND 100')
export class LeadSource extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  name: string;
}

import { Check, Column, Entity, Exclusion, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, sql } from '../../../../kit/index.js';
import { Resource } from '../setup/resource.entity.js';
import { Instance } from './instance.entity.js';

/** The use of a resource by an instance, with the buffers that applied when it was written. */
@Entity('schedule_occupancies')
@ForeignKey(() => Resource, ['organization_id', 'project_id', 'resource_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_occupancies_resource_id_fkey',
})
@ForeignKey(() => Instance, ['organization_id', 'project_id', 'mode', 'instance_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'schedule_occupancies_instance_id_fkey',
  onDelete: 'CASCADE',
})
@Exclusion('schedule_occupancies_span_excl', 'USING gist (resource_id WITH =, mode WITH =, span WITH &&) WHERE (exclusive)')
@Index('schedule_occupancies_shared_idx', { synchronize: false })
@Index('schedule_occupancies_instance_id_idx', ['instance_id'])
@Check('schedule_occupancies_mode_check', `mode IN ('live', 'test')`)
@Check('schedule_occupancies_span_check', 'NOT isempty(span)')
export class Occupancy extends BusinessEntity {
  @Column('uuid')
  resource_id: string;

  @Column('uuid')
  instance_id: string;

  @Column('tstzrange')
  span: string;

  /** Whether the resource has capacity 1, so that an exclusion constraint rejects overlaps. */
  @Column('boolean')
  exclusive: boolean;
}

/** Conditions of the row `o`. Each row is in exactly one of two indexes, so a statement that must use them has a branch for each. */
export const OCCUPANCY_INDEXES = [sql`o.exclusive`, sql`NOT o.exclusive`] as const;

import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, type Actor } from '../../kit/index.js';
import { Project } from '../people/model/project.entity.js';
import { TITLE_COLUMNS } from '../persistence/rows/row-title.js';

/** A deleted row that can be restored. The store writes it with the deletion; `deleted_rows` has the rows themselves. */
@Entity('deleted_records')
@ForeignKey(() => Project, ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'deleted_records_project_id_fkey' })
@Unique('deleted_records_record_key', ['record_id', 'resource'])
@Index('deleted_records_created_at_idx', ['organization_id', 'mode', 'created_at', 'id'])
@Index('deleted_records_age_idx', ['created_at'])
@Check('deleted_records_mode_check', `mode IN ('live', 'test')`)
export class DeletedRecord extends BusinessEntity {
  @Column('text')
  module: string;

  /** Such as `task`. */
  @Column('text')
  resource: string;

  @Column('uuid')
  record_id: string;

  /** Null if not everybody who may restore the resource may see each of its rows. */
  @Column('text', { nullable: true })
  title: string | null;

  /** The title in the kept row, if `title` is null. */
  @VirtualColumn({
    type: 'text',
    query: (row) => `SELECT COALESCE(${TITLE_COLUMNS.map((name) => `k.rows -> 0 ->> '${name}'`).join(', ')})
      FROM deleted_rows k WHERE k.deleted_record_id = ${row}.id AND k.place = 0 AND ${row}.title IS NULL`,
  })
  readonly kept_title?: string | null;

  @Column('jsonb')
  deleted_by: Actor;

  /** Of rows that referred to it until it was deleted, as the module says. */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  detached_ids: string[];
}

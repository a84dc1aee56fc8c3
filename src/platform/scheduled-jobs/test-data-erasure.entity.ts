import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity, TimeColumn } from '../../kit/index.js';
import { Organization } from '../people/model/organization.entity.js';

/** One request to erase the test data of an organization, and how far it got. */
@Entity('test_data_erasures')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'test_data_erasures_organization_fkey' })
@Check('test_data_erasures_status_check', `status IN ('running', 'done', 'failed')`)
@Index('test_data_erasures_running_key', ['organization_id'], {
  unique: true,
  where: `status = 'running'`,
})
@Index('test_data_erasures_created_at_idx', ['organization_id', 'created_at', 'id'])
export class TestDataErasure extends OrganizationEntity {
  @Column('uuid', { nullable: true })
  requested_by: string | null;

  @Column('text')
  status: 'running' | 'done' | 'failed';

  /** Test rows when it began. */
  @Column('integer')
  total: number;

  /** Deleted rows by module. */
  @Column('jsonb')
  deleted: Record<string, number>;

  @TimeColumn({ nullable: true })
  finished_at: Date | null;
}

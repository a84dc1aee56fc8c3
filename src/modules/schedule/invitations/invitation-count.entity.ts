import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { NotAudited, OrganizationEntity } from '../../../kit/index.js';

/** The mails about events that an organization sent on a day (UTC). */
@Entity('schedule_invitation_counts')
@NotAudited()
@ForeignKey('organizations', ['organization_id'], ['id'], { name: 'schedule_invitation_counts_organization_id_fkey' })
@Unique('schedule_invitation_counts_day_key', ['organization_id', 'day'])
export class InvitationCount extends OrganizationEntity {
  @Column('date')
  day: string;

  /** Invitations and changes. */
  @Column('integer')
  count: number;

  /** Mails about dates of a series that do not take place. */
  @Column('integer', { default: 0 })
  cancellations: number;
}

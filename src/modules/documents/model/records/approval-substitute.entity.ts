import { Check, Column, Entity, Exclusion, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity, own, projectDay, sql, table, type Actor, type Sql } from '../../../../kit/index.js';

/** A member who decides on documents for another one while that member is away. */
@Entity('approval_substitutes')
@ForeignKey('members', ['organization_id', 'member_id'], ['organization_id', 'id'], {
  name: 'approval_substitutes_member_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('members', ['organization_id', 'substitute_id'], ['organization_id', 'id'], {
  name: 'approval_substitutes_substitute_id_fkey',
  onDelete: 'CASCADE',
})
@Index('approval_substitutes_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('approval_substitutes_substitute_id_idx', ['substitute_id', 'ends_on'])
@Check('approval_substitutes_days_check', 'ends_on >= starts_on')
@Check('approval_substitutes_other_check', 'member_id <> substitute_id')
@Exclusion('approval_substitutes_period_excl', `USING gist (member_id WITH =, daterange(starts_on, ends_on, '[]') WITH &&)`)
export class ApprovalSubstitute extends OrganizationEntity {
  /** Who is away. */
  @Column('uuid')
  member_id: string;

  @Column('uuid')
  substitute_id: string;

  /** The first and the last day, in the time zone of each document's project. */
  @Column('date')
  starts_on: string;

  @Column('date')
  ends_on: string;

  @Column('jsonb')
  created_by: Actor;
}

/** The ids of those for whom a member decides today on the rows of a table with this alias, by the day of each row's project. */
export function substitutedBy(memberId: string, alias: string, at?: Date): Sql {
  return sql`(SELECT s.member_id FROM ${table(ApprovalSubstitute)} s
    WHERE ${own('s')} AND s.substitute_id = ${memberId} AND ${projectDay(alias, at)} BETWEEN s.starts_on AND s.ends_on)`;
}

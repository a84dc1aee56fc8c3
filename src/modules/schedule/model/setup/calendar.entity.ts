import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import { EventTemplate } from './event-template.entity.js';

export const CALENDAR_STATUSES = ['active', 'inactive'] as const;
export const CONFLICT_POLICIES = ['allow', 'reject'] as const;
export const VISIBILITIES = ['project', 'private'] as const;

/** A member who organizes an event. */
export interface Organizer {
  member_id: string;
  name: string;
  email: string;
}

export type CalendarStatus = (typeof CALENDAR_STATUSES)[number];
export type ConflictPolicy = (typeof CONFLICT_POLICIES)[number];
export type Visibility = (typeof VISIBILITIES)[number];

/** A calendar of a project. A personal one belongs to one member, and its events keep them busy in all calendars. */
@Entity('schedule_calendars')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'schedule_calendars_project_id_fkey' })
@ForeignKey('members', ['organization_id', 'owner_member_id'], ['organization_id', 'id'], {
  name: 'schedule_calendars_owner_member_id_fkey',
})
@ForeignKey(() => EventTemplate, ['organization_id', 'project_id', 'template_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_calendars_template_id_fkey',
})
@Unique('schedule_calendars_reference_key', ['organization_id', 'project_id', 'id'])
@Index('schedule_calendars_name_key', { synchronize: false })
@Index('schedule_calendars_personal_key', ['project_id', 'owner_member_id'], {
  unique: true,
  where: 'personal',
})
@Index('schedule_calendars_name_idx', ['organization_id', 'name', 'id', 'project_id'])
@Index('schedule_calendars_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Index('schedule_calendars_template_id_idx', ['template_id'])
@Index('schedule_calendars_owner_member_id_idx', ['owner_member_id'], { where: 'owner_member_id IS NOT NULL' })
@Check('schedule_calendars_project_id_check', 'project_id IS NOT NULL')
@Check('schedule_calendars_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('schedule_calendars_status_check', `status IN ('active', 'inactive')`)
@Check('schedule_calendars_color_check', `color ~ '^#[0-9a-f]{6}$'`)
@Check('schedule_calendars_conflict_policy_check', `conflict_policy IN ('allow', 'reject')`)
@Check('schedule_calendars_visibility_check', `visibility IN ('project', 'private')`)
@Check('schedule_calendars_owner_member_id_check', `owner_member_id IS NOT NULL OR (visibility = 'project' AND NOT personal)`)
export class Calendar extends ConfigurationEntity {
  /** Never null; the base class declares it nullable. */
  declare project_id: string;

  @Column('text')
  name: string;

  /** IANA name. */
  @Column('text')
  timezone: string;

  @Column('text', { default: 'active' })
  status: CalendarStatus;

  @Column('text', { nullable: true })
  color: string | null;

  /** The organizer of the calendar's events; the only one who sees a private calendar, until they are deactivated. */
  @Column('uuid', { nullable: true })
  owner_member_id: string | null;

  /** The owner as the organizer of a new event: null if there is none. */
  @VirtualColumn({
    type: 'json',
    query: (alias) => `SELECT json_build_object('member_id', m.id, 'name', m.name, 'email', m.email) FROM members m
      WHERE m.organization_id = ${alias}.organization_id AND m.id = ${alias}.owner_member_id`,
  })
  readonly organizer?: Organizer | null;

  @Column('uuid')
  template_id: string;

  /** `reject`: busy events of the calendar must not overlap. */
  @Column('text', { default: 'allow' })
  conflict_policy: ConflictPolicy;

  @Column('text', { default: 'project' })
  visibility: Visibility;

  /** Whether it is private and its owner was deactivated, so that whoever sets up calendars may manage it. */
  @VirtualColumn({
    type: 'boolean',
    query: (alias) => `SELECT ${alias}.visibility = 'private' AND EXISTS (SELECT 1 FROM members m
      WHERE m.organization_id = ${alias}.organization_id AND m.id = ${alias}.owner_member_id AND m.status = 'inactive')`,
  })
  readonly owner_left?: boolean;

  /** Whether invitations name the other invitees. */
  @Column('boolean', { default: false })
  share_guest_list: boolean;

  @Column('boolean', { default: false })
  personal: boolean;

  /** Search vector of the name; maintained by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}

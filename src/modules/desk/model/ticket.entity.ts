import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, CustomFields, sql, TimeColumn, type Actor, type CustomFieldValues } from '../../../kit/index.js';
import { DeskAgent } from './agent.entity.js';
import { DeskQueue } from './queue.entity.js';
import { Requester } from './requester.entity.js';
import { DeskSlaPolicy } from './sla-policy.entity.js';
import { DeskStatus } from './status.entity.js';
import type { StoredClocks } from './stored-clocks.js';
import type { Channel, StatusCategory } from './values.js';

const IN_PROJECT: [string, string, string] = ['organization_id', 'project_id', 'id'];
const IN_MODE: [string, string, string, string] = ['organization_id', 'project_id', 'mode', 'id'];
const IS_UNSOLVED = `status_category IN ('new', 'open', 'pending', 'on_hold')`;
/** The same of the row `t`. It is literal, because the indexes of unsolved tickets repeat it. */
export const IS_UNSOLVED_TICKET = sql`t.status_category IN ('new', 'open', 'pending', 'on_hold')`;

/** Somebody's request for help. A closed one is read-only, by a trigger. */
@Entity('desk_tickets')
@Unique('desk_tickets_reference_key', IN_MODE)
@ForeignKey(() => Requester, ['organization_id', 'project_id', 'mode', 'requester_id'], IN_MODE, { name: 'desk_tickets_requester_id_fkey' })
@ForeignKey(() => DeskQueue, ['organization_id', 'project_id', 'queue_id'], IN_PROJECT, { name: 'desk_tickets_queue_id_fkey' })
@ForeignKey(() => DeskAgent, ['organization_id', 'project_id', 'assignee_id'], IN_PROJECT, { name: 'desk_tickets_assignee_id_fkey' })
@ForeignKey(() => DeskStatus, ['organization_id', 'project_id', 'status_id'], IN_PROJECT, { name: 'desk_tickets_status_id_fkey' })
@ForeignKey(() => DeskSlaPolicy, ['organization_id', 'project_id', 'sla_policy_id'], IN_PROJECT, {
  name: 'desk_tickets_sla_policy_id_fkey',
})
@ForeignKey(() => Ticket, ['organization_id', 'project_id', 'mode', 'follow_up_of_id'], IN_MODE, {
  name: 'desk_tickets_follow_up_of_id_fkey',
})
@ForeignKey(() => Ticket, ['organization_id', 'project_id', 'mode', 'merged_into_id'], IN_MODE, {
  name: 'desk_tickets_merged_into_id_fkey',
})
@Index('desk_tickets_number_key', ['project_id', 'mode', 'number'], { unique: true })
@Index('desk_tickets_external_id_key', ['project_id', 'mode', 'external_id'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('desk_tickets_number_idx', ['organization_id', 'mode', 'number'])
@Index('desk_tickets_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('desk_tickets_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('desk_tickets_priority_idx', ['organization_id', 'mode', 'priority', 'id', 'project_id'])
@Index('desk_tickets_sla_due_at_idx', { synchronize: false })
@Index('desk_tickets_sla_due_at_desc_idx', { synchronize: false })
@Index('desk_tickets_unsolved_due_at_idx', { synchronize: false })
@Index('desk_tickets_unsolved_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'], { where: IS_UNSOLVED })
@Index('desk_tickets_unsolved_priority_idx', ['organization_id', 'mode', 'priority', 'id', 'project_id'], { where: IS_UNSOLVED })
@Index('desk_tickets_status_category_idx', ['organization_id', 'mode', 'status_category', 'created_at', 'id'])
@Index('desk_tickets_requester_email_idx', ['organization_id', 'mode', 'requester_email', 'created_at', 'id'])
@Index('desk_tickets_status_id_idx', ['status_id', 'mode', 'created_at', 'id'])
@Index('desk_tickets_queue_id_idx', ['queue_id', 'mode', 'created_at', 'id'])
@Index('desk_tickets_assignee_id_idx', ['assignee_id', 'mode', 'created_at', 'id'], { where: 'assignee_id IS NOT NULL' })
@Index('desk_tickets_sla_policy_id_idx', ['sla_policy_id', 'mode', 'created_at', 'id'], { where: 'sla_policy_id IS NOT NULL' })
@Index('desk_tickets_external_id_idx', ['organization_id', 'mode', 'external_id', 'id'], { where: 'external_id IS NOT NULL' })
@Index('desk_tickets_requester_id_idx', ['requester_id'])
@Index('desk_tickets_follow_up_of_id_idx', ['follow_up_of_id'], { where: 'follow_up_of_id IS NOT NULL' })
@Index('desk_tickets_merged_into_id_idx', ['merged_into_id'], { where: 'merged_into_id IS NOT NULL' })
@Index('desk_tickets_breach_due_at_idx', ['breach_due_at'], { where: 'breach_due_at IS NOT NULL' })
@Index('desk_tickets_close_due_at_idx', ['close_due_at'], { where: 'close_due_at IS NOT NULL' })
@Index('desk_tickets_rating_due_at_idx', ['rating_due_at'], { where: 'rating_due_at IS NOT NULL' })
@Index('desk_tickets_snoozed_until_at_idx', ['snoozed_until_at'], { where: 'snoozed_until_at IS NOT NULL' })
@Index('desk_tickets_tags_idx', { synchronize: false })
@Index('desk_tickets_search_idx', { synchronize: false })
@Check('desk_tickets_mode_check', `mode IN ('live', 'test')`)
@Check('desk_tickets_subject_check', 'length(subject) BETWEEN 1 AND 255')
@Check('desk_tickets_status_category_check', `status_category IN ('new', 'open', 'pending', 'on_hold', 'solved', 'closed')`)
@Check('desk_tickets_priority_check', 'priority BETWEEN 0 AND 3')
@Check('desk_tickets_channel_check', `channel IN ('api', 'mail', 'form', 'screen')`)
@Check('desk_tickets_external_id_check', 'length(external_id) BETWEEN 1 AND 255')
@Check('desk_tickets_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('desk_tickets_clocks_check', `jsonb_typeof(clocks) = 'object'`)
@Check('desk_tickets_satisfaction_score_check', 'satisfaction_score BETWEEN 1 AND 5')
@Check('desk_tickets_satisfaction_comment_check', 'length(satisfaction_comment) <= 5000')
@Check('desk_tickets_assignee_id_check', `status_category <> 'solved' OR assignee_id IS NOT NULL`)
@Check('desk_tickets_closed_at_check', `(status_category = 'closed') = (closed_at IS NOT NULL)`)
@Check('desk_tickets_close_due_at_check', `close_due_at IS NULL OR status_category = 'solved'`)
@Check('desk_tickets_merged_into_id_check', `merged_into_id IS NULL OR (status_category = 'closed' AND merged_into_id <> id)`)
export class Ticket extends BusinessEntity {
  /** `T-42`, or `TEST-T-42` in test mode; unique in the project. */
  @Column('text')
  number: string;

  @Column('text')
  subject: string;

  @Column('uuid')
  requester_id: string;

  /** That of the requester, in lower case. */
  @Column('text')
  requester_email: string;

  @Column('text', { nullable: true })
  requester_name: string | null;

  @Column('uuid', { nullable: true })
  contact_id: string | null;

  /** In lower case. */
  @Column('text', {
    array: true,
    default: '{}',
  })
  cc_emails: string[];

  @Column('uuid')
  queue_id: string;

  /** An agent of the project. */
  @Column('uuid', { nullable: true })
  assignee_id: string | null;

  @Column('uuid')
  status_id: string;

  /** That of the status. */
  @Column('text')
  status_category: StatusCategory;

  /** The place in `PRIORITIES`. */
  @Column('integer')
  priority: number;

  @Column('text', {
    array: true,
    default: '{}',
  })
  tags: string[];

  @Column('text')
  channel: Channel;

  @TimeColumn({ nullable: true })
  snoozed_until_at: Date | null;

  @Column('text', { nullable: true })
  external_id: string | null;

  /** The policy that set the clocks' targets, and its hours; null without one, and around the clock. */
  @Column('uuid', { nullable: true })
  sla_policy_id: string | null;

  @Column('uuid', { nullable: true })
  business_hours_id: string | null;

  @Column('jsonb', { default: {} })
  clocks: StoredClocks;

  /** When the first of the clocks that run is due, breached or not. */
  @TimeColumn({ nullable: true })
  sla_due_at: Date | null;

  /** When the next clock will be breached; the job that looks for breaches reads it. */
  @TimeColumn({ nullable: true })
  breach_due_at: Date | null;

  @TimeColumn({ nullable: true })
  first_answered_at: Date | null;

  /** Since when the requester waits for an answer; null if none is due. */
  @TimeColumn({ nullable: true })
  waiting_since_at: Date | null;

  @Column('uuid', { nullable: true })
  follow_up_of_id: string | null;

  @Column('uuid', { nullable: true })
  merged_into_id: string | null;

  @Column('integer', { nullable: true })
  satisfaction_score: number | null;

  @Column('text', { nullable: true })
  satisfaction_comment: string | null;

  @TimeColumn({ nullable: true })
  solved_at: Date | null;

  @TimeColumn({ nullable: true })
  closed_at: Date | null;

  /** When a solved ticket is closed. */
  @TimeColumn({ nullable: true })
  close_due_at: Date | null;

  /** When the requester is asked for a rating; null once that happened. */
  @TimeColumn({ nullable: true })
  rating_due_at: Date | null;

  @Column('jsonb')
  created_by: Actor;

  @CustomFields('ticket')
  custom_fields: CustomFieldValues;

  /** Words of number, subject, requester, external id and tags; written by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}

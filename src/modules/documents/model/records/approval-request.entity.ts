import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../../kit/index.js';
import { Document } from './document.entity.js';
import type { Decision, Routing } from './shown-request.js';
import type { StepMode } from '../types/approval-route.dto.js';

/** A request for one approver's decision on a step of a submission. An unrouted step has one row for all approvers. */
@Entity('approval_requests')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'approval_requests_document_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('members', ['organization_id', 'approver_id'], ['organization_id', 'id'], { name: 'approval_requests_approver_id_fkey' })
@ForeignKey('members', ['organization_id', 'in_place_of'], ['organization_id', 'id'], { name: 'approval_requests_in_place_of_fkey' })
@ForeignKey('members', ['organization_id', 'substitute_id'], ['organization_id', 'id'], { name: 'approval_requests_substitute_id_fkey' })
@Index('approval_requests_document_id_idx', ['document_id', 'round', 'step_index', 'id'])
@Index('approval_requests_pending_idx', ['organization_id', 'mode', 'created_at', 'id'], { where: `decision = 'pending'` })
@Index('approval_requests_pending_project_idx', ['organization_id', 'mode', 'project_id', 'created_at', 'id'], {
  where: `decision = 'pending'`,
})
@Index('approval_requests_pending_type_code_idx', ['organization_id', 'mode', 'type_code', 'created_at', 'id'], {
  where: `decision = 'pending'`,
})
@Index('approval_requests_approver_idx', ['approver_id', 'mode', 'created_at', 'id'], { where: `decision = 'pending'` })
@Index('approval_requests_due_at_idx', ['due_at'], { where: `decision = 'pending' AND due_at IS NOT NULL AND escalated_at IS NULL` })
@Index('approval_requests_approver_key', ['document_id', 'round', 'step_index', 'approver_id'], {
  unique: true,
  where: 'approver_id IS NOT NULL',
})
@Check('approval_requests_mode_check', `mode IN ('live', 'test')`)
@Check('approval_requests_decision_check', `decision IN ('pending', 'approved', 'rejected', 'returned', 'withdrawn')`)
@Check('approval_requests_routing_check', `routing IN ('routed', 'unrouted')`)
export class ApprovalRequest extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('text')
  type_code: string;

  @Column('integer')
  round: number;

  @Column('integer')
  step_index: number;

  @Column('text')
  step_name: string;

  @Column('text')
  step_mode: StepMode;

  @Column('integer', { nullable: true })
  quorum: number | null;

  @Column('text')
  routing: Routing;

  /** Null for an unrouted step until a member decides it. */
  @Column('uuid', { nullable: true })
  approver_id: string | null;

  /** The submitter who may not decide, or an approver who did not decide in time, if others are asked in their place. */
  @Column('uuid', { nullable: true })
  in_place_of: string | null;

  /** Who decided while the approver was away. */
  @Column('uuid', { nullable: true })
  substitute_id: string | null;

  /** Whether an unnamed request was handed to the members of the step's `escalate_to`. */
  @Column('boolean', { default: false })
  is_escalated: boolean;

  @Column('text', { default: 'pending' })
  decision: Decision;

  @Column('text', { nullable: true })
  comment: string | null;

  @TimeColumn({ nullable: true })
  due_at: Date | null;

  @TimeColumn({ nullable: true })
  escalated_at: Date | null;

  @TimeColumn({ nullable: true })
  decided_at: Date | null;

  /** The caller who made the decision, with the address of the member whom its key is bound to; the approver is `approver_id`. */
  @Column('jsonb', { nullable: true })
  decided_by: Actor | null;
}

import { Field, Filter, Listing, ListQuery, type Member } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { STEP_MODES, type StepMode } from '../../model/types/approval-route.dto.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { ROUTINGS, type Routing } from '../../model/records/shown-request.js';
import { DOCUMENT_STATES, type DocumentState } from '../../model/core/document-states.js';

export class PendingDocumentDto {
  @Field.uuid({
    description: 'Id of the document.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
  })
  id: string;

  @Field.string({
    description: 'Number, or null.',
    example: 'AGR-2026-00042',
    nullable: true,
  })
  number: string | null;

  @Field.string({
    description: 'Title.',
    example: 'Agreement with Acme',
  })
  title: string;

  @Field.string({
    description: 'Code of the type.',
    example: 'customer_agreement',
  })
  type_code: string;

  @Field.oneOf(DOCUMENT_STATES, {
    description: 'State.',
    example: 'in_approval',
  })
  state: DocumentState;
}

export class PendingStepDto {
  @Field.integer({
    description: "Index in the type's route, starting at 1.",
    example: 1,
    minimum: 1,
  })
  index: number;

  @Field.string({
    description: 'Name of the step.',
    example: 'Legal',
  })
  name: string;

  @Field.oneOf(STEP_MODES, {
    description: 'How many approvals the step needs.',
    example: 'any',
  })
  mode: StepMode;
}

export class ApproverRefDto {
  @Field.email({
    description: 'E-mail address, for approver_email.',
    example: 'ada@example.com',
  })
  email: string;

  @Field.string({
    description: 'Name.',
    example: 'Ada Lovelace',
  })
  name: string;

  static from(this: void, { email, name }: Member): ApproverRefDto {
    return { email, name };
  }
}

/** A pending decision. */
export class PendingApprovalDto {
  @Field.constant('pending_approval')
  object: string;

  @Field.uuid({
    description: 'Id of the pending decision.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c30',
  })
  id: string;

  @Field.object(() => PendingDocumentDto, {
    description: 'The document.',
    example: undefined,
  })
  document: PendingDocumentDto;

  @Field.object(() => PendingStepDto, {
    description: 'The step in approval.',
    example: undefined,
  })
  step: PendingStepDto;

  @Field.oneOf(ROUTINGS, {
    description: 'routed: for the approvers of the step; unrouted: for everyone who may approve.',
    example: 'routed',
  })
  routing: Routing;

  @Field.object(() => ApproverRefDto, {
    description: 'The approver; null if any of eligible_approvers may decide.',
    example: undefined,
    nullable: true,
  })
  approver: ApproverRefDto | null;

  @Field.object(() => ApproverRefDto, {
    description: 'Members who may decide it, at most twenty.',
    example: undefined,
    list: { maxItems: 20, repeats: true },
  })
  eligible_approvers: ApproverRefDto[];

  @Field.dateTime({
    description: 'When it was requested, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  requested_at: string;

  @Field.dateTime({
    description: 'When it becomes overdue, UTC; null without a deadline.',
    example: '2026-11-23T09:30:00.000Z',
    nullable: true,
  })
  due_at: string | null;

  @Field.boolean({
    description: 'Whether it is overdue.',
    example: false,
  })
  overdue: boolean;

  static from(
    request: ApprovalRequest,
    document: Document,
    approver: Member | null,
    eligible: readonly Member[],
    now: Date,
  ): PendingApprovalDto {
    const { id, step_index: index, step_name: name, step_mode: mode, routing, due_at, created_at } = request;
    return {
      object: 'pending_approval',
      id,
      document: { id: document.id, number: document.number, title: document.title, type_code: document.type_code, state: document.state },
      step: { index, name, mode },
      routing,
      approver: approver && ApproverRefDto.from(approver),
      eligible_approvers: eligible.map(ApproverRefDto.from),
      requested_at: created_at.toISOString(),
      due_at: due_at?.toISOString() ?? null,
      overdue: due_at !== null && due_at < now,
    };
  }
}

/** The filters of list_pending_approvals. */
@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class PendingApprovalsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only documents of these projects.',
    example: ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10'],
  })
  project_id?: string[];

  @Filter.oneOf(ROUTINGS, {
    description: 'Only decisions for the approvers of a step (routed), or for everyone who may approve (unrouted).',
    example: ['routed'],
  })
  routing?: Routing[];

  @Filter.string({
    description: 'Only documents of these types.',
    example: ['customer_agreement'],
  })
  type_code?: string[];

  @Filter.custom({
    kind: 'email',
    description: 'Only decisions that name this member as the approver.',
    example: 'ada@example.com',
    maxLength: 254,
  })
  approver_email?: string;
}

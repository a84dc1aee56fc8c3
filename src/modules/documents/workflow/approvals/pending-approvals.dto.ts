import { bothOf, Field, Filter, Listing, pickOf, ProjectListQuery, shownOf, type Member } from '../../../../kit/index.js';
import { ApprovalProgressDto, ApproverRefDto, PendingDecisionDto } from '../../views/document-parts.dto.js';
import { CreateDocumentDto, DocumentDto } from '../../views/documents.dto.js';
import type { Document } from '../../model/records/document.entity.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { ROUTINGS, type Routing } from '../../model/records/shown-request.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';

export class PendingDocumentDto extends bothOf(
  shownOf(DocumentDto, {
    id: 'Id of the document.',
    number: true,
    title: true,
    state: { example: 'in_approval', summary: false },
  }),
  shownOf(CreateDocumentDto, { type_code: 'Code of the type.' }),
) {
  @Field.string({
    description: 'Name of the type.',
    example: 'Customer agreement',
  })
  type_name: string;
}

export class PendingStepDto extends shownOf(ApprovalProgressDto, { index: true, name: { summary: true }, mode: true }) {}

/** A pending decision. */
export class PendingApprovalDto extends bothOf(shownOf(PendingDecisionDto, { id: true }), pickOf(ApprovalProgressDto, ['routing'])) {
  @Field.constant('pending_approval')
  object: string;

  @Field.uuid({
    description: 'Project of the document.',
    example: PROJECT,
  })
  project_id: string;

  @Field.object(() => PendingDocumentDto, {
    summary: true,
    description: 'The document.',
    example: undefined,
  })
  document: PendingDocumentDto;

  @Field.object(() => PendingStepDto, {
    summary: 'if_short',
    description: 'The step in approval.',
    example: undefined,
  })
  step: PendingStepDto;

  @Field.object(() => ApproverRefDto, {
    summary: 'if_short',
    description: 'The approver; null if any of eligible_approvers may decide.',
    example: undefined,
    nullable: true,
  })
  approver: ApproverRefDto | null;

  @Field.object(() => ApproverRefDto, {
    description: 'Members who may decide it, at most twenty: also substitutes of the approver.',
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
    summary: true,
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
    type_name: string,
    approver: Member | null,
    eligible: readonly Member[],
    now: Date,
  ): PendingApprovalDto {
    const { id: document_id, number, title, type_code, state } = document;
    const { id, project_id, step_index: index, step_name: name, step_mode: mode, routing, due_at, created_at } = request;
    return {
      object: 'pending_approval',
      id,
      project_id,
      document: { id: document_id, number, title, type_code, type_name, state },
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
  unindexed: {
    type_code: 'Few approvals of one approver are pending.',
  },
})
export class PendingApprovalsQuery extends ProjectListQuery {
  @Filter.oneOf(ROUTINGS, {
    description: 'routed: asks approvers of a step; unrouted: anyone who may approve.',
    example: ['routed'],
  })
  routing?: Routing[];

  @Filter.string({
    description: 'Of these types.',
    example: ['customer_agreement'],
  })
  type_code?: string[];

  @Filter.custom({
    kind: 'email',
    description: 'Of this member and whom they substitute today.',
    example: 'ada@example.com',
    maxLength: 254,
  })
  approver_email?: string;
}

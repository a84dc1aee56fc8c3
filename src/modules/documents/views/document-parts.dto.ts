import { ActorDto, Field, pickOf, type Member } from '../../../kit/index.js';
import { STEP_MODES, type StepMode } from '../model/types/approval-route.dto.js';
import { deciderOf, DECISIONS, ROUTINGS, type Decision, type Routing, type ShownRequest } from '../model/records/shown-request.js';
import { INVITATIONS, PARTY_STATUSES, type Invitation, type PartyStatus } from '../model/records/signature-party.entity.js';
import { APPROVAL_OUTCOMES, type ApprovalOutcome } from '../model/records/document.entity.js';

/** The type of a document, in the version that the document was created with. */
export class DocumentTypeRefDto {
  @Field.uuid({
    description: 'Id of the type.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10',
  })
  id: string;

  @Field.string({
    description: 'Code of the type.',
    example: 'customer_agreement',
  })
  code: string;

  @Field.string({
    summary: true,
    description: 'Name of the type.',
    example: 'Customer agreement',
  })
  name: string;

  @Field.integer({
    description: 'Version of the type.',
    example: 1,
    minimum: 1,
  })
  version: number;
}

/** The decision of one approver, made or pending. */
export class ApprovalDecisionDto {
  @Field.email({
    description: 'Approver; null for an undecided unrouted step.',
    example: 'ada@example.com',
    nullable: true,
  })
  approver_email: string | null;

  @Field.string({
    description: 'Name of the approver.',
    example: 'Ada Lovelace',
    nullable: true,
  })
  approver_name: string | null;

  @Field.oneOf(DECISIONS, {
    description: 'pending until they decide; withdrawn if the step was settled without them.',
    example: 'pending',
  })
  decision: Decision;

  @Field.string({
    description: 'Their comment.',
    example: 'Fine with the new price.',
    nullable: true,
    maxLength: 4_000,
  })
  comment: string | null;

  @Field.dateTime({
    description: 'When it becomes overdue, UTC.',
    example: '2026-11-23T09:30:00.000Z',
    nullable: true,
  })
  due_at: string | null;

  @Field.dateTime({
    description: 'When they decided, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  decided_at: string | null;

  @Field.email({
    description: 'Member in whose place they are asked: the submitter, who may not decide, or an approver who was late or away.',
    example: null,
    nullable: true,
  })
  in_place_of: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who made the decision: the approver, or an API key in their name, with the address of its member.',
    example: undefined,
    nullable: true,
  })
  decided_by: ActorDto | null;

  static from(request: ShownRequest, memberOf: (id: string | null) => Member | undefined): ApprovalDecisionDto {
    const { deciderId, inPlaceOfId } = deciderOf(request);
    const approver = memberOf(deciderId);
    return {
      approver_email: approver?.email ?? null,
      approver_name: approver?.name ?? null,
      in_place_of: memberOf(inPlaceOfId)?.email ?? null,
      decided_by: request.decided_by,
      decision: request.decision,
      comment: request.comment,
      due_at: timeText(request.due_at),
      decided_at: timeText(request.decided_at),
    };
  }
}

/** One step of the current submission. */
export class ApprovalProgressDto {
  @Field.integer({
    description: "Index in the type's route, starting at 1.",
    example: 1,
    minimum: 1,
  })
  index: number;

  @Field.string({
    summary: true,
    description: 'Name of the step.',
    example: 'Legal',
  })
  name: string;

  @Field.oneOf(STEP_MODES, {
    description: 'How many approvals the step needs.',
    example: 'any',
  })
  mode: StepMode;

  @Field.oneOf(ROUTINGS, {
    description: 'routed: the named approvers decide; unrouted: any member who may approve documents.',
    example: 'routed',
  })
  routing: Routing;

  @Field.object(() => ApprovalDecisionDto, {
    description: 'The decisions.',
    example: undefined,
    list: { maxItems: 1_000, repeats: true },
  })
  decisions: ApprovalDecisionDto[];
}

/** The step of a pending decision. */
export class PendingDecisionStepDto extends pickOf(ApprovalProgressDto, ['index', 'name']) {}

/** A member who may decide. */
export class ApproverRefDto {
  @Field.email({
    summary: true,
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

/** A decision that is pending now. */
export class PendingDecisionDto {
  @Field.uuid({
    summary: true,
    description: 'Id, for decision_id.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c30',
  })
  id: string;

  @Field.object(() => PendingDecisionStepDto, {
    description: 'The step.',
    example: undefined,
  })
  step: PendingDecisionStepDto;

  @Field.object(() => ApproverRefDto, {
    description: 'The approver; null if any of several may decide, whom list_pending_approvals lists.',
    example: undefined,
    nullable: true,
  })
  approver: ApproverRefDto | null;

  @Field.string({
    description: 'What the caller may do with it: approve, reject, return; empty if only others may decide it.',
    example: ['approve', 'reject', 'return'],
    list: { maxItems: 3 },
  })
  allowed: string[];
}

/** The progress of the approval. Steps that were not reached are not listed. */
export class DocumentApprovalDto {
  @Field.oneOf(APPROVAL_OUTCOMES, {
    description: 'Outcome.',
    example: 'pending',
  })
  outcome: ApprovalOutcome;

  @Field.integer({
    description: 'Index of the step in approval, or null.',
    example: 1,
    minimum: 1,
    nullable: true,
  })
  current_step: number | null;

  @Field.object(() => ApprovalProgressDto, {
    description: 'Steps reached since the last submission.',
    example: undefined,
    list: { maxItems: 20, repeats: true },
  })
  steps: ApprovalProgressDto[];

  @Field.object(() => PendingDecisionDto, {
    description: 'The decisions that are pending now.',
    example: undefined,
    list: { maxItems: 1_000, repeats: true },
  })
  pending: PendingDecisionDto[];
}

/** A party that signs. */
export class DocumentPartyDto {
  @Field.string({
    description: 'Key of the party in the type.',
    example: 'customer',
  })
  key: string;

  @Field.string({
    description: 'Name; null while the document has none.',
    example: 'Ada Lovelace',
    nullable: true,
  })
  name: string | null;

  @Field.string({
    description: 'E-mail address; null while the document has none.',
    example: 'ada@example.com',
    nullable: true,
    maxLength: 254,
  })
  email: string | null;

  @Field.oneOf(PARTY_STATUSES, {
    description:
      'waiting: not yet reached in the signing order, or its mail is in flight or was rejected; invited: the mail server has it; ' +
      'viewed: link opened.',
    example: 'invited',
  })
  status: PartyStatus;

  @Field.oneOf(INVITATIONS, {
    description: 'Its latest mail with a link; failed: the mail server rejected it. Then remind, or change the party. Null before it.',
    example: 'accepted',
    nullable: true,
  })
  request: Invitation | null;

  @Field.dateTime({
    description: 'When it signed, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  signed_at: string | null;

  @Field.map({
    description:
      'What it filled in when it signed, by key of the field: a number with a decimal point, a day as YYYY-MM-DD, true or false of a ' +
      'checkbox, the value of an option. Fields that were hidden or left empty are absent.',
    example: { place: 'Berlin', pets: 'true' },
  })
  field_values: Record<string, string>;
}

/** The parties that sign, and the deadline. */
export class DocumentSignatureDto {
  @Field.object(() => DocumentPartyDto, {
    description: 'The parties, in the order of the type.',
    example: undefined,
    list: { maxItems: 20, repeats: true },
  })
  parties: DocumentPartyDto[];

  @Field.oneOf(['sending', 'failed'], {
    description:
      'After send, until the mail server has taken a signature request and the state becomes sent: sending; failed if it rejected all ' +
      'of them, then send again. Null otherwise.',
    example: null,
    nullable: true,
  })
  request: 'sending' | 'failed' | null;

  @Field.dateTime({
    description: 'Deadline for all signatures, UTC; null without a deadline or before sending.',
    example: '2026-12-05T09:30:00.000Z',
    nullable: true,
  })
  deadline_at: string | null;
}

function timeText(time: Date | string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

import { bothOf, Field, pickOf } from '../../../../kit/index.js';
import { WorkflowActionDto } from './workflow.dto.js';
import { SendingHolder } from '../../model/types/sending.dto.js';

const DECISION_WORDS = ['approve', 'reject', 'return'] as const;

/** The decision of the signed-in member. */
export class DecideDocumentDto extends pickOf(WorkflowActionDto, ['comments', 'lifecycle_action', 'decision_id', 'step']) {
  @Field.oneOf(DECISION_WORDS, {
    description: 'The decision.',
    example: 'approve',
  })
  decision: (typeof DECISION_WORDS)[number];
}

/** A move without further fields. */
export class MoveDocumentDto extends pickOf(WorkflowActionDto, ['lifecycle_action']) {
  @Field.string({
    description: 'Why; becomes a comment.',
    example: 'The price has changed.',
    maxLength: 4_000,
    required: false,
    nullable: true,
  })
  reason?: string | null;
}

export class SendDocumentDto extends bothOf(MoveDocumentDto, SendingHolder) {}

export class RevokeDocumentDto extends pickOf(WorkflowActionDto, ['lifecycle_action']) {
  @Field.string({
    description: 'Why it is revoked; becomes a comment.',
    example: 'Signed by mistake.',
    maxLength: 4_000,
  })
  reason: string;
}

export class SupersedeDocumentDto extends MoveDocumentDto {
  @Field.uuid({
    description: 'The finalized document of the same type that replaces it; by default the one that was created as its replacement.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c21',
    required: false,
    nullable: true,
  })
  superseded_by_id?: string | null;
}

export class OverrideDocumentDto {
  @Field.string({
    description: 'Code of the stage to set; not one for sent, partially_signed or executed.',
    example: 'draft',
    maxLength: 63,
  })
  to: string;

  @Field.string({
    description: 'Why; recorded in the audit trail and in the event.',
    example: 'Approved on paper during the outage.',
    maxLength: 4_000,
  })
  reason: string;
}

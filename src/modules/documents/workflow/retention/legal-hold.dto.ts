import { Field } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';

export class SetLegalHoldDto {
  @Field.string({
    description: 'Why its contents must be kept; null ends the hold.',
    example: 'Lawsuit 12 O 34/26.',
    maxLength: 1_000,
    nullable: true,
  })
  reason: string | null;
}

/** Whether the contents of a document are kept, or when they were erased. */
export class DocumentRetentionDto {
  @Field.constant('document_retention')
  object: string;

  @Field.uuid({
    description: 'Document.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
  })
  document_id: string;

  @Field.string({
    description: 'Why its contents must be kept, whatever its type says; null without a legal hold.',
    example: 'Lawsuit 12 O 34/26.',
    maxLength: 1_000,
    nullable: true,
  })
  legal_hold: string | null;

  @Field.dateTime({
    description:
      "When it was declined, rejected, revoked, superseded, expired, or executed without an end of validity, UTC. The type's " +
      'retention_days count from then.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  ended_at: string | null;

  @Field.dateTime({
    description: 'When its contents were erased, UTC.',
    example: null,
    nullable: true,
  })
  erased_at: string | null;

  static from(this: void, { id, legal_hold, ended_at, erased_at }: Document): DocumentRetentionDto {
    return {
      object: 'document_retention',
      document_id: id,
      legal_hold,
      ended_at: ended_at?.toISOString() ?? null,
      erased_at: erased_at?.toISOString() ?? null,
    };
  }
}

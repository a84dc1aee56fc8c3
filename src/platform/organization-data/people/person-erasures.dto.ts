import { Field } from '../../../kit/index.js';
import { MOST_IDS } from './mentions.js';
import type { PersonReport } from './person-erasures.js';

/** The request body to erase a person. */
export class ErasePersonDto {
  @Field.email({
    description: 'E-mail address of the person, in any case.',
    example: 'guest@example.com',
  })
  email: string;

  @Field.boolean({
    description: 'Whether to report only what would be erased.',
    example: true,
    required: false,
    default: false,
  })
  dry_run?: boolean;
}

export class ErasedRowsDto {
  @Field.string({
    description: 'Name of the module; null for the platform.',
    example: 'notes',
    nullable: true,
  })
  module: string | null;

  @Field.string({
    description: 'What was found.',
    example: 'guests',
  })
  title: string;

  @Field.integer({
    description: 'How many were deleted, or have no personal data any more.',
    example: 2,
    minimum: 0,
  })
  erased: number;

  @Field.integer({
    description: 'How many stay as they are.',
    example: 0,
    minimum: 0,
  })
  kept: number;

  @Field.string({
    description: 'Why they stay.',
    example: null,
    nullable: true,
  })
  why: string | null;
}

export class MentionDto {
  @Field.string({
    description: 'Table of the database, as in an export.',
    example: 'audit_entries',
  })
  table: string;

  @Field.integer({
    description: 'How many of its rows still contain the address or the full name.',
    example: 3,
    minimum: 0,
  })
  rows: number;

  @Field.string({
    description: 'The ids of the first of them.',
    example: ['018f2d3c-5b7a-7c3e-9d2f-1a2b3c4d5e6f'],
    list: { maxItems: MOST_IDS },
  })
  ids: string[];

  @Field.string({
    description: 'Why they stay; null if nothing says so: look at them, for example at notes that colleagues wrote.',
    example: 'The audit log never changes; its entries are deleted after the retention.',
    nullable: true,
  })
  why: string | null;
}

/** What was erased of a person, and what stays. */
export class PersonErasureDto {
  @Field.constant('person_erasure')
  object: string;

  @Field.boolean({
    description: 'Whether nothing was changed.',
    example: false,
  })
  dry_run: boolean;

  @Field.object(() => ErasedRowsDto, {
    description: 'What was found, by module.',
    example: undefined,
    list: { maxItems: 1_000 },
  })
  rows: ErasedRowsDto[];

  @Field.object(() => MentionDto, {
    description: 'Where the address or the full name is still found by a search of all texts.',
    example: undefined,
    list: { maxItems: 1_000 },
  })
  mentions: MentionDto[];

  static from(this: void, report: PersonReport): PersonErasureDto {
    return { object: 'person_erasure', ...report };
  }
}

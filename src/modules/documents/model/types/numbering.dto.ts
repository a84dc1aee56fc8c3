import { Field } from '../../../../kit/index.js';

export const RESETS = ['never', 'year', 'month'] as const;
export const ASSIGNED_AT = ['create', 'finalize'] as const;

export class NumberingDto {
  @Field.string({
    description:
      'Text with the tokens {TYPE} {PROJECT} {YYYY} {MM} {SEQ:5}; {SEQ:n} must occur once. All projects share one sequence, ' +
      'unless the pattern contains {PROJECT}.',
    example: 'AGR-{YYYY}-{SEQ:5}',
    maxLength: 100,
  })
  pattern: string;

  @Field.oneOf(RESETS, {
    description: 'When the sequence restarts.',
    example: 'year',
    required: false,
    default: 'never',
  })
  reset: (typeof RESETS)[number];

  @Field.oneOf(ASSIGNED_AT, {
    description: 'When a document gets its number; gapless numbers are assigned at finalize.',
    example: 'create',
    required: false,
    default: 'create',
  })
  assign_at: (typeof ASSIGNED_AT)[number];

  @Field.boolean({
    description: 'Numbers without gaps, where the law requires them; documents are then finalized one at a time.',
    example: false,
    required: false,
    default: false,
  })
  gapless: boolean;
}

import { Field } from '../../../../kit/index.js';
import { DOCUMENT_STATES, TRIGGERS, type DocumentState, type Trigger } from '../document-states.js';

/** What the codes of stages, transitions and parties look like. */
export const CODE_PATTERN = '^[a-z][a-z0-9_]{0,62}$';

/** A label of the type's own for a state. */
export class LifecycleStageDto {
  @Field.string({
    description: 'Code of the stage.',
    example: 'legal_review',
    pattern: CODE_PATTERN,
    maxLength: 63,
  })
  code: string;

  @Field.string({
    description: 'What people read.',
    example: 'Legal review',
    maxLength: 100,
  })
  label: string;

  @Field.oneOf(DOCUMENT_STATES, { description: 'The state it stands for.', example: 'in_approval' })
  state: DocumentState;
}

/** A move between stages. */
export class LifecycleTransitionDto {
  @Field.string({
    description: 'Code, as lifecycle_action names it.',
    example: 'approve',
    pattern: CODE_PATTERN,
    maxLength: 63,
  })
  code: string;

  @Field.string({
    description: 'What people read.',
    example: 'Approve',
    maxLength: 100,
  })
  label: string;

  @Field.string({
    description: 'Codes of the stages it leaves.',
    example: ['legal_review'],
    maxLength: 63,
    list: { minItems: 1, maxItems: 50 },
  })
  from: string[];

  @Field.string({
    description: 'Code of the stage it leads to.',
    example: 'approved',
    maxLength: 63,
  })
  to: string;

  @Field.oneOf(TRIGGERS, { description: 'What runs it.', example: 'approve' })
  trigger: Trigger;

  @Field.string({
    description: 'Member roles that may run it; everyone when empty.',
    example: ['admin'],
    required: false,
    default: [],
    list: { maxItems: 20 },
  })
  roles: string[];
}

export class LifecycleDto {
  @Field.object(() => LifecycleStageDto, {
    description: 'The stages; one at least stands for draft.',
    example: undefined,
    list: { minItems: 1, maxItems: 50, repeats: true },
  })
  stages: LifecycleStageDto[];

  @Field.object(() => LifecycleTransitionDto, {
    description: 'The moves between them; each must be one of the state table.',
    example: undefined,
    list: { maxItems: 200, repeats: true },
  })
  transitions: LifecycleTransitionDto[];
}

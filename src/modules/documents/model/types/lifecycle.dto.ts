import { Field } from '../../../../kit/index.js';
import { DOCUMENT_STATES, TRIGGERS, type DocumentState, type Trigger } from '../core/document-states.js';

/** The pattern of the codes of stages, transitions and parties. */
export const CODE_PATTERN = '^[a-z][a-z0-9_]{0,62}$';

/** A type's own label for a state. */
export class LifecycleStageDto {
  @Field.string({
    description: 'Code of the stage.',
    example: 'legal_review',
    pattern: CODE_PATTERN,
    maxLength: 63,
  })
  code: string;

  @Field.string({
    description: 'Label for people.',
    example: 'Legal review',
    maxLength: 100,
  })
  label: string;

  @Field.oneOf(DOCUMENT_STATES, {
    description: 'The state that it labels.',
    example: 'in_approval',
  })
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
    description: 'Label for people.',
    example: 'Approve',
    maxLength: 100,
  })
  label: string;

  @Field.string({
    description: 'Codes of the stages that it starts from.',
    example: ['legal_review'],
    maxLength: 63,
    list: { minItems: 1, maxItems: 50 },
  })
  from: string[];

  @Field.string({
    description: 'Code of the stage that it leads to.',
    example: 'approved',
    maxLength: 63,
  })
  to: string;

  @Field.oneOf(TRIGGERS, {
    description: 'The trigger that runs it.',
    example: 'approve',
  })
  trigger: Trigger;

  @Field.string({
    description: 'Member roles that may run it; empty for everyone.',
    example: ['admin'],
    required: false,
    default: [],
    list: { maxItems: 20 },
  })
  roles: string[];
}

export class LifecycleDto {
  @Field.object(() => LifecycleStageDto, {
    description: 'The stages; at least one labels the state draft.',
    example: undefined,
    list: { minItems: 1, maxItems: 50, repeats: true },
  })
  stages: LifecycleStageDto[];

  @Field.object(() => LifecycleTransitionDto, {
    description: 'The moves between the stages; each must be a move of the state table.',
    example: undefined,
    list: { maxItems: 200, repeats: true },
  })
  transitions: LifecycleTransitionDto[];
}

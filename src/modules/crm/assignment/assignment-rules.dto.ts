import { bothOf, Field, field, partialOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { POSITIONS } from '../fields/crm-limits.js';
import { EXAMPLE } from '../fields/example-ids.js';
import { ASSIGNMENT_METHODS, type AssignmentCondition, type AssignmentMethod } from './assignment-rules.js';
import type { LeadAssignmentRule } from './lead-assignment-rule.entity.js';

/** The body that creates an assignment rule. */
export class CreateAssignmentRuleDto {
  @Field.uuid({
    description: 'Project whose new leads it is for.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Name.',
    example: 'German-speaking leads',
    maxLength: 100,
  })
  name: string;

  @Field.integer({
    description: 'Rules are evaluated in ascending order and the first match decides; at the end when omitted.',
    example: 1,
    required: false,
    ...POSITIONS,
  })
  position?: number;

  @Field.boolean({
    description: 'Whether the rule is evaluated.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;

  @field({
    kind: 'map',
    maxProperties: 10,
    list: { maxItems: 20, repeats: true },
    required: false,
    default: [],
    example: [{ field: 'custom_fields.country', op: 'in', value: ['DE', 'AT', 'CH'] }],
    description:
      'All must hold; an empty list matches every lead. Each condition is {field, op, value}: field is a field of the lead or ' +
      'custom_fields.<key>; op is eq, neq, in, not_in, contains, starts_with, ends_with, gt, lt, is_set or is_not_set; ' +
      'value is a list for in and not_in, and omitted for is_set and is_not_set.',
  })
  conditions?: AssignmentCondition[];

  @Field.oneOf(ASSIGNMENT_METHODS, {
    description: 'user: the only member; round_robin: each member in turn; least_open: the member with the fewest open leads.',
    example: 'round_robin',
  })
  assign: AssignmentMethod;

  @Field.uuid({
    description: 'Active members to choose from, in round-robin order; exactly one for user.',
    example: [EXAMPLE.member],
    list: { minItems: 1, maxItems: 100 },
  })
  member_ids: string[];
}

export class UpdateAssignmentRuleDto extends partialOf(CreateAssignmentRuleDto, { omit: ['project_id'] }) {}

/** A rule that assigns new leads to an owner. */
export class AssignmentRuleDto extends bothOf(
  ResourceDto,
  shownOf(CreateAssignmentRuleDto, {
    project_id: true,
    name: true,
    active: true,
    conditions: 'Conditions that must all hold; an empty list matches every lead.',
    assign: 'How one of the members is chosen.',
    member_ids: 'Members to choose from; inactive members are skipped.',
  }),
) {
  @Field.constant('assignment_rule')
  object: string;

  @Field.integer({
    description: 'Position in the order of evaluation.',
    example: 1,
  })
  position: number;

  static from(this: void, rule: LeadAssignmentRule): AssignmentRuleDto {
    return responseOf(AssignmentRuleDto, rule);
  }
}

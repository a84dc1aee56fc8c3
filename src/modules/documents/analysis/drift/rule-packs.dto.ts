import { bothOf, Field, Filter, Listing, ListQuery, partialOf, ResourceDto, responseOf, shownOf } from '../../../../kit/index.js';
import { FieldConditionDto } from '../../model/types/approval-route.dto.js';
import { SEVERITIES, type Severity } from '../provider/provider.js';
import type { RegulatoryFinding } from './regulatory-finding.entity.js';
import type { RegulatoryRulePack } from './regulatory-rule-pack.entity.js';
import { CHECK_KINDS, type CheckKind } from './rule-checks.js';

const DOCUMENT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20';
const PACK = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2d30';
const CHECK = { kind: 'clause_required', pattern: 'data processing agreement' };
const RULE = {
  rule_id: 'gdpr-28',
  version: 1,
  title: 'Processing agreement',
  effective_on: '2026-01-01',
  type_codes: ['customer_agreement'],
  check: CHECK,
  severity: 'critical',
};

export class RuleCheckDto {
  @Field.oneOf(CHECK_KINDS, {
    description:
      'clause_required: the text must match pattern; clause_forbidden: it must not; field_predicate: data_values must meet condition.',
    example: 'clause_required',
  })
  kind: CheckKind;

  @Field.string({
    description:
      'Clause checks: a case-insensitive regular expression in RE2 syntax (no look-around, no back-references). ' +
      'Whitespace in the text is collapsed to single spaces.',
    example: 'data processing agreement',
    required: false,
    nullable: true,
    maxLength: 500,
  })
  pattern?: string | null;

  @Field.object(() => FieldConditionDto, {
    description: 'field_predicate: the condition to meet.',
    example: undefined,
    required: false,
    nullable: true,
  })
  condition?: FieldConditionDto | null;
}

export class RegulatoryRuleDto {
  @Field.string({
    description: 'Your id for the rule, unique in the pack.',
    example: 'gdpr-28',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    maxLength: 100,
  })
  rule_id: string;

  @Field.integer({
    description: 'Version of the rule; increase it with every change of the rule.',
    example: 1,
    minimum: 1,
  })
  version: number;

  @Field.string({
    description: 'Display name.',
    example: 'Processing agreement',
  })
  title: string;

  @Field.date({
    description: 'First day on which the rule applies.',
    example: '2026-01-01',
  })
  effective_on: string;

  @Field.string({
    description: 'Codes of the document types it applies to; empty: all types.',
    example: ['customer_agreement'],
    required: false,
    default: [],
    list: { maxItems: 100 },
    maxLength: 63,
  })
  type_codes: string[];

  @Field.object(() => RuleCheckDto, {
    description: 'The requirement for a document.',
    example: CHECK,
  })
  check: RuleCheckDto;

  @Field.oneOf(SEVERITIES, {
    description: 'Severity of a violation; a critical one emits ai.risk.critical_detected.',
    example: 'critical',
  })
  severity: Severity;
}

/** The request body to create a rule pack. */
export class CreateRulePackDto {
  @Field.string({
    description: 'Name, unique in the organization.',
    example: 'EU data protection',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.string({
    description: 'Jurisdiction of its rules.',
    example: 'EU',
    maxLength: 100,
  })
  jurisdiction: string;

  @Field.boolean({
    description: 'Whether documents are checked against it.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;

  @Field.object(() => RegulatoryRuleDto, {
    description: 'The rules.',
    example: [RULE],
    list: { maxItems: 200, repeats: true },
  })
  rules: RegulatoryRuleDto[];
}

/** The merge patch of a rule pack; `rules` replaces all rules. */
export class UpdateRulePackDto extends partialOf(CreateRulePackDto) {}

/** A rule pack. */
export class RulePackDto extends bothOf(
  ResourceDto,
  shownOf(CreateRulePackDto, { name: 'Name.', jurisdiction: true, active: true, rules: true }),
) {
  @Field.constant('regulatory_rule_pack')
  object: string;

  static from(pack: RegulatoryRulePack): RulePackDto {
    return responseOf(RulePackDto, pack);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class RulePacksQuery extends ListQuery {}

/** A document that does not meet a rule. */
export class RegulatoryFindingDto extends ResourceDto {
  @Field.constant('regulatory_finding')
  object: string;

  @Field.uuid({
    description: 'The document.',
    example: DOCUMENT,
  })
  document_id: string;

  @Field.uuid({
    description: 'The pack of the rule.',
    example: PACK,
  })
  pack_id: string;

  @Field.string({
    description: 'The rule.',
    example: 'gdpr-28',
  })
  rule_id: string;

  @Field.integer({
    description: 'The version of the rule.',
    example: 1,
  })
  rule_version: number;

  @Field.string({
    description: 'Jurisdiction of the rule.',
    example: 'EU',
  })
  jurisdiction: string;

  @Field.oneOf(SEVERITIES, {
    description: 'Severity of the violation.',
    example: 'critical',
  })
  severity: Severity;

  @Field.string({
    description: 'Description of the violation.',
    example: 'Processing agreement: the clause that the rule requires is missing.',
    maxLength: 1_000,
  })
  message: string;

  static from(finding: RegulatoryFinding): RegulatoryFindingDto {
    return responseOf(RegulatoryFindingDto, finding);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  unindexed: {
    pack_id: 'A pack has a large part of the findings.',
  },
})
export class RegulatoryFindingsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only findings for these documents.',
    example: [DOCUMENT],
  })
  document_id?: string[];

  @Filter.uuid({
    description: 'Only findings for rules of these packs.',
    example: [PACK],
  })
  pack_id?: string[];

  @Filter.oneOf(SEVERITIES, {
    description: 'Only findings with these severities.',
    example: ['critical'],
  })
  severity?: Severity[];
}

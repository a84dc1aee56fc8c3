import { RE2JS } from 're2js';
import type { FieldConditionDto } from '../../model/types/approval-route.dto.js';
import { holds } from '../../model/rules/field-condition.js';
import type { Severity } from '../provider/provider.js';

export const CHECK_KINDS = ['clause_required', 'clause_forbidden', 'field_predicate'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** The requirement of a rule. */
export interface RuleCheck {
  kind: CheckKind;
  /** Clause checks: a case-insensitive RE2 expression, applied to the document's text with whitespace collapsed. */
  pattern: string | null;
  /** field_predicate: the condition that the document's values must meet. */
  condition: FieldConditionDto | null;
}

/** One rule in one version. */
export interface RegulatoryRule {
  rule_id: string;
  version: number;
  title: string;
  /** The first day on which the rule applies. */
  effective_on: string;
  /** Empty: all types. */
  type_codes: string[];
  check: RuleCheck;
  severity: Severity;
}

/** The content that rules check. */
export interface CheckedDocument {
  text: string;
  values: Record<string, unknown>;
}

/** RE2 runs in time linear in the text for every pattern. Throws if the pattern is invalid. */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
}

/** Why a document violates a rule; null if it does not. */
export function failureOf({ check, title }: RegulatoryRule, { text, values }: CheckedDocument): string | null {
  if (check.kind === 'field_predicate')
    return check.condition === null || holds(check.condition, values)
      ? null
      : `${title}: the value of ${check.condition.field} does not meet the rule.`;
  const found = compilePattern(check.pattern ?? '')
    .matcher(text.replace(/\s+/g, ' '))
    .find();
  if (check.kind === 'clause_required') return found ? null : `${title}: the clause that the rule requires is missing.`;
  return found ? `${title}: the document contains a clause that the rule forbids.` : null;
}

/** The rules of a pack that are in force on a day. */
export function inForce(rules: readonly RegulatoryRule[], on: string): RegulatoryRule[] {
  return rules.filter(({ effective_on }) => effective_on <= on);
}

export function concerns({ type_codes }: RegulatoryRule, typeCode: string): boolean {
  return type_codes.length === 0 || type_codes.includes(typeCode);
}

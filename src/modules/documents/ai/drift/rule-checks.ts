import { RE2JS } from 're2js';
import type { FieldConditionDto } from '../../model/types/approval-route.dto.js';
import { holds } from '../../model/rules/field-condition.js';
import type { Severity } from '../providers/provider.js';

export const CHECK_KINDS = ['clause_required', 'clause_forbidden', 'field_predicate'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** What a rule asks of a document. */
export interface RuleCheck {
  kind: CheckKind;
  /** Clause checks: a regular expression in RE2's syntax over the document's text with single blanks; case does not matter. */
  pattern: string | null;
  /** field_predicate: what must hold of the document's values. */
  condition: FieldConditionDto | null;
}

/** One rule in one version. */
export interface RegulatoryRule {
  rule_id: string;
  version: number;
  title: string;
  /** It is held against documents from this day on. */
  effective_on: string;
  /** Empty: documents of every type. */
  type_codes: string[];
  check: RuleCheck;
  severity: Severity;
}

/** What a rule is held against. */
export interface CheckedDocument {
  text: string;
  values: Record<string, unknown>;
}

/** RE2 takes time in proportion to the text, whatever the pattern. Throws for what is no pattern. */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
}

/** Why a document does not meet a rule; null where it does. */
export function failureOf({ check, title }: RegulatoryRule, { text, values }: CheckedDocument): string | null {
  if (check.kind === 'field_predicate')
    return check.condition === null || holds(check.condition, values)
      ? null
      : `${title}: the value of ${check.condition.field} does not meet the rule.`;
  const found = compilePattern(check.pattern ?? '')
    .matcher(text.replace(/\s+/g, ' '))
    .find();
  if (check.kind === 'clause_required') return found ? null : `${title}: the clause that the rule requires is missing.`;
  return found ? `${title}: the document holds a clause that the rule forbids.` : null;
}

/** The rules of a pack that are in force on a day. */
export function inForce(rules: readonly RegulatoryRule[], on: string): RegulatoryRule[] {
  return rules.filter(({ effective_on }) => effective_on <= on);
}

export function concerns({ type_codes }: RegulatoryRule, typeCode: string): boolean {
  return type_codes.length === 0 || type_codes.includes(typeCode);
}

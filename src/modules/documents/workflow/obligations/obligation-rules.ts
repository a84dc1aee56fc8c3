import { isEmailAddress, plusDays } from '../../../../kit/index.js';
import { valueAt } from '../../model/core/data-values.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { dayOfValue } from '../../model/rules/value-days.js';
import type { Obligation } from './obligation.entity.js';

const LONGEST_TITLE = 255;

/** The obligations that a type's rules create for a document in force since `inForceOn`. A rule without a date in the values is skipped. */
export function obligationsOf(
  { obligation_rules }: TypeDefinition,
  values: Record<string, unknown>,
  inForceOn: string,
  timeZone: string,
): Partial<Obligation>[] {
  return obligation_rules.flatMap((rule, rule_index) => {
    const from = rule.due_on_from ? dayOfValue(valueAt(values, rule.due_on_from), timeZone) : inForceOn;
    if (from === null) return [];
    const title = rule.title
      .replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, path: string) => textAt(values, path) ?? '')
      .replace(/\s+/g, ' ')
      .trim();
    return {
      rule_index,
      title: (title || rule.kind).slice(0, LONGEST_TITLE),
      kind: rule.kind,
      responsible_side: rule.side,
      responsible_name: textAt(values, rule.name_from),
      responsible_email: emailAt(values, rule.email_from),
      due_on: plusDays(from, rule.due_after_days),
      recurrence: rule.recurrence ?? null,
      reminder_days: rule.reminder_days,
      source: 'rule' as const,
    };
  });
}

function textAt(values: Record<string, unknown>, path: string | null | undefined): string | null {
  const value = path ? valueAt(values, path) : undefined;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() || null : null;
}

/** Null unless the value is a valid e-mail address. */
function emailAt(values: Record<string, unknown>, path: string | null | undefined): string | null {
  const text = textAt(values, path)?.toLowerCase() ?? null;
  return isEmailAddress(text) ? text : null;
}

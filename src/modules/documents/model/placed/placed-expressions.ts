import { compile, compileCondition } from '../expressions/check.js';
import { Calculation, type Value } from '../expressions/evaluate.js';
import type { Expression, ValueType } from '../expressions/expression.js';
import { ExpressionFault, parse, type Syntax } from '../expressions/syntax.js';
import type { PlacedField } from '../core/placed-fields.js';
import { isEntered } from './placed-values.js';

export type ExpressionRule = 'shown_when' | 'calculated';
export const EXPRESSION_RULES: readonly ExpressionRule[] = ['shown_when', 'calculated'];

/** Stored values by key of the field. */
export type StoredValues = Readonly<Record<string, string>>;

/** The types of calculated values, by kind of the field. */
export const CALCULATED: Readonly<Record<string, ValueType['kind']>> = { number: 'number', text: 'text', entered_date: 'date' };

function typeOf({ kind, options = [] }: PlacedField): ValueType {
  if (kind === 'number') return { kind: 'number' };
  if (kind === 'checkbox') return { kind: 'boolean' };
  if (kind === 'entered_date') return { kind: 'date' };
  return options.length > 0 ? { kind: 'text', options: options.map(({ value }) => value) } : { kind: 'text' };
}

/** The expression of a rule over the other fields. Throws `ExpressionFault`. */
export function compiledRule(rule: ExpressionRule, text: string, fields: readonly PlacedField[]): Expression {
  const scope = {
    typeOf: (path: string) => {
      const named = fields.find(({ key }) => key === path);
      return named && isEntered(named) ? typeOf(named) : undefined;
    },
    rows: [],
    isStrict: true,
  };
  return rule === 'shown_when' ? compileCondition(text, scope) : compile(text, scope);
}

/** The names in an expression, with their offsets. Throws `ExpressionFault`. */
export function namesIn(text: string): { name: string; at: number }[] {
  const names: { name: string; at: number }[] = [];
  const visit = (one: Syntax | null): void => {
    if (one === null) return;
    if (one.kind === 'name') names.push(one);
    else if (one.kind === 'unary') visit(one.of);
    else if (one.kind === 'binary') [one.left, one.right].forEach(visit);
    else if (one.kind === 'call') [...one.of, one.where, one.by].forEach(visit);
  };
  visit(parse(text));
  return names;
}

/**
 * The value of a rule; null if there is none, or if it names a field of a section that is not printed. `valueOf` gives the stored value of
 * another field.
 */
export function valueOfRule(
  rule: ExpressionRule,
  text: string,
  fields: readonly PlacedField[],
  valueOf: (key: string) => string | undefined,
): Value {
  const values: Record<string, unknown> = {};
  for (const { name } of namesIn(text)) {
    const named = fields.find(({ key }) => key === name);
    const value = named && valueOf(name);
    if (value !== undefined)
      values[name] = named!.kind === 'number' ? Number(value) : named!.kind === 'checkbox' ? value === 'true' : value;
  }
  try {
    return new Calculation().value(compiledRule(rule, text, fields), { values, rows: {}, groups: {} });
  } catch (error) {
    if (error instanceof ExpressionFault) return null;
    throw error;
  }
}

/** Whether a field is there for its party, by what was filled in before. */
export function isShown(field: PlacedField, fields: readonly PlacedField[], valueOf: (key: string) => string | undefined): boolean {
  const condition = field.shown_when ?? null;
  return condition === null || valueOfRule('shown_when', condition, fields, valueOf) === true;
}

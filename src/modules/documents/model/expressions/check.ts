import { isCalendarDay } from '../../../../kit/index.js';
import { checkCall } from './check-calls.js';
import type { Expression, ValueType } from './expression.js';
import { ExpressionFault, parse, type Comparison, type Syntax } from './syntax.js';
import { matched, type Scope } from './scope.js';

/** The expression of a text. Throws `ExpressionFault` if it cannot be read, or names or adds what it cannot. */
export function compile(text: string, scope: Scope): Expression {
  return checked(parse(text), scope);
}

const ARGUMENTS = 'f(';

/** The expressions of a text, which commas separate. */
export function compileAll(text: string, scope: Scope): Expression[] {
  try {
    const call = parse(`${ARGUMENTS}${text})`);
    return (call.kind === 'call' ? call.of : [call]).map((one) => checked(one, scope));
  } catch (error) {
    if (error instanceof ExpressionFault) throw new ExpressionFault(error.message, error.at - ARGUMENTS.length);
    throw error;
  }
}

/** The condition of a text: a comparison, or whether something has a value. */
export function compileCondition(text: string, scope: Scope): Expression {
  return condition(compile(text, scope));
}

function condition(of: Expression): Expression {
  return of.type.kind === 'boolean' && of.kind !== 'field' && of.kind !== 'column' ? of : { kind: 'has', of, type: { kind: 'boolean' } };
}

function checked(syntax: Syntax, scope: Scope): Expression {
  switch (syntax.kind) {
    case 'number':
      return { kind: 'literal', value: syntax.value, type: { kind: 'number', isWhole: !syntax.value.includes('.') } };
    case 'text':
      return { kind: 'literal', value: syntax.value, type: { kind: 'text' } };
    case 'boolean':
      return { kind: 'literal', value: syntax.value, type: { kind: 'boolean' } };
    case 'name':
      return named(syntax, scope);
    case 'call':
      return checkCall(syntax, scope, { checked, condition });
    case 'unary':
      return syntax.operator === 'not'
        ? { kind: 'not', of: condition(checked(syntax.of, scope)), type: { kind: 'boolean' } }
        : negative(syntax, scope);
    case 'binary':
      return binary(syntax, scope);
  }
}

function named({ name, at }: { name: string; at: number }, { typeOf, missing, rows }: Scope): Expression {
  const [table, column] = name.split('.');
  if (column !== undefined) {
    const type = typeOf(name);
    if (type === undefined) throw new ExpressionFault(missing?.(name) ?? `${name} is not a field of this type`, at);
    const row = rows.findLast((one) => one.table === table);
    if (row && (row.columns?.includes(column) ?? true)) return { kind: 'column', table, column, type };
    if (typeOf(table)?.kind !== 'table') return { kind: 'field', name, type };
    throw new ExpressionFault(`${name} is a column, with a value in each row: write sum(${name}), or count, min, max or avg`, at);
  }
  for (const row of rows.toReversed()) {
    const type = row.isHidden || row.columns?.includes(name) === false ? undefined : typeOf(`${row.table}.${name}`);
    if (type) return { kind: 'column', table: row.table, column: name, type };
  }
  const type = typeOf(name);
  if (type) return { kind: 'field', name, type };
  const group = rows.findLast((row) => typeOf(`${row.table}.${name}`));
  throw group
    ? new ExpressionFault(`${name} can differ between the rows of a group: write sum(${group.table}.${name})`, at)
    : new ExpressionFault(`${name} is not a field of this type`, at);
}

function negative({ of, at }: { of: Syntax; at: number }, scope: Scope): Expression {
  const value = checked(of, scope);
  const { kind } = value.type;
  if (value.kind === 'literal' && kind === 'number' && of.kind === 'number') return { ...value, value: `-${String(value.value)}` };
  if (kind !== 'number' && kind !== 'money') throw new ExpressionFault(`- needs a number, not ${nounOf(kind)}`, at);
  return { kind: 'negative', of: value, type: value.type };
}

type Binary = Extract<Syntax, { kind: 'binary' }>;

function binary(syntax: Binary, scope: Scope): Expression {
  const { operator } = syntax;
  if (operator === 'and' || operator === 'or') {
    const [left, right] = [syntax.left, syntax.right].map((side) => condition(checked(side, scope)));
    return { kind: operator, left, right, type: { kind: 'boolean' } };
  }
  const isComparison = !['+', '-', '*', '/'].includes(operator);
  const left = checked(syntax.left, scope);
  if (isComparison) return comparison(syntax, left, scope);
  return arithmetic(syntax, left, checked(syntax.right, scope));
}

function arithmetic(
  { operator, left: { at: leftAt }, right: { at: rightAt }, at }: Binary,
  left: Expression,
  right: Expression,
): Expression {
  const kinds = `${left.type.kind} ${operator} ${right.type.kind}`;
  const sides: [Expression, number][] = [
    [left, leftAt],
    [right, rightAt],
  ];
  for (const [{ type }, where] of sides)
    if (!['number', 'money', 'date'].includes(type.kind))
      throw new ExpressionFault(`${operator} needs numbers, amounts or dates, not ${nounOf(type.kind)}`, where);
  const kind = ({ '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide' } as const)[operator as '+' | '-' | '*' | '/'];
  switch (kinds) {
    case 'date + number':
      return { kind: 'shift', date: left, days: right, type: { kind: 'date' } };
    case 'date - number':
      return { kind: 'shift', date: left, days: { kind: 'negative', of: right, type: right.type }, type: { kind: 'date' } };
    case 'date - date':
      return { kind: 'days', from: right, to: left, type: { kind: 'number', isWhole: true } };
    case 'money * number':
    case 'money / number':
      return { kind, left, right, type: { kind: 'money', currency: left.type.currency } };
    case 'number * money':
      return { kind, left, right, type: { kind: 'money', currency: right.type.currency } };
    case 'number + number':
    case 'number - number':
    case 'number * number':
      return { kind, left, right, type: { kind: 'number', isWhole: left.type.isWhole && right.type.isWhole } };
    case 'number / number':
      return { kind, left, right, type: { kind: 'number' } };
    case 'money / money':
      matched(left, right, at, 'divided');
      return { kind, left, right, type: { kind: 'number' } };
  }
  const isMoney = left.type.kind === 'money' || right.type.kind === 'money';
  if (isMoney && (operator === '+' || operator === '-')) {
    const [one, other] = matched(left, right, at, operator === '+' ? 'added' : 'subtracted');
    return { kind, left: one, right: other, type: { kind: 'money', currency: one.type.currency } };
  }
  throw new ExpressionFault(`${operator} cannot be applied to ${nounOf(left.type.kind)} and ${nounOf(right.type.kind)}`, at);
}

function comparison(syntax: Binary, left: Expression, scope: Scope): Expression {
  const operator = syntax.operator as Comparison;
  const name = syntax.left.kind === 'name' ? syntax.left.name : 'this';
  if (left.type.kind === 'table')
    throw new ExpressionFault(`${name} is a table, which cannot be compared: write {{#if ${name}}}`, syntax.at);
  const right = comparedWith(syntax, left, name, scope);
  const compare = (one: Expression, other: Expression): Expression => ({
    kind: 'compare',
    operator,
    left: one,
    right: other,
    type: { kind: 'boolean' },
  });
  const { kind } = left.type;
  if (kind !== 'number' && kind !== 'money' && kind !== 'date' && kind !== 'time' && operator !== '=' && operator !== '!=')
    throw new ExpressionFault(`${name} can only be compared by = and !=`, syntax.at);
  if (scope.isStrict && right.kind === 'literal') {
    const problem = literalProblem(left.type, right, name);
    if (problem !== null) throw new ExpressionFault(problem, syntax.right.at);
  }
  if (kind === right.type.kind && kind !== 'money') return compare(left, right);
  if ((kind === 'date' || kind === 'time') && right.kind === 'literal' && right.type.kind === 'text') return compare(left, right);
  if (kind === 'money' || right.type.kind === 'money') {
    const isNumeric = [left, right].every(({ type }) => type.kind === 'money' || type.kind === 'number');
    if (isNumeric) return compare(...matched(left, right, syntax.at, 'compared', scope.isStrict));
  }
  throw new ExpressionFault(`${name} can be compared with ${acceptedBy(left.type)}`, syntax.at);
}

function comparedWith({ right, at }: Binary, left: Expression, name: string, scope: Scope): Expression {
  try {
    return checked(right, scope);
  } catch (error) {
    // currency = EUR
    if (right.kind !== 'name' || left.type.kind !== 'text') throw error;
    throw new ExpressionFault(`${name} can be compared with ${acceptedBy(left.type)}`, at);
  }
}

/**
 * Why an integer is not compared with 120.00, which for an amount is 1.20, or a date with a day that does not exist. Only new texts are
 * checked: a published template must not lose the section.
 */
function literalProblem(
  type: ValueType,
  { value, type: { kind, isWhole } }: Expression & { kind: 'literal' },
  name: string,
): string | null {
  const isDay = type.kind === 'date' || type.kind === 'time';
  if (isDay && kind === 'text' && !isCalendarDay(type.kind === 'date' ? String(value) : String(value).slice(0, 10)))
    return `${name} can be compared with a calendar date as YYYY-MM-DD, in the years 1000 to 9999`;
  if ((type.kind === 'money' || type.isWhole) && kind === 'number' && !isWhole) return `${name} can be compared with ${acceptedBy(type)}`;
  if (!type.options || kind !== type.kind) return null;
  const compared = kind === 'number' ? Number(value) : value;
  return type.options.includes(compared) ? null : `${value} is not a value of ${name}: ${type.options.join(', ')}`;
}

function acceptedBy({ kind, isWhole }: ValueType): string {
  if (kind === 'money') return 'a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY';
  if (kind === 'number') return isWhole ? 'a whole number without a decimal point, such as 100000' : 'a number, such as 100000';
  if (kind === 'boolean') return 'true or false';
  return kind === 'text' ? 'a text in quotes, such as "EUR"' : 'a day in quotes, such as "2026-12-31"';
}

function nounOf(kind: ValueType['kind']): string {
  return kind === 'money' ? 'an amount' : kind === 'boolean' ? 'true or false' : `a ${kind}`;
}

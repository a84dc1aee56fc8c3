import { AGGREGATES, type AggregateName, type Expression, type ValueType } from './expression.js';
import { ExpressionFault, type Syntax } from './syntax.js';
import { currencyName, matched, rowOf, type Scope } from './scope.js';

type Call = Extract<Syntax, { kind: 'call' }>;

/** How the parts of a call are checked. */
interface Checks {
  checked: (syntax: Syntax, scope: Scope) => Expression;
  condition: (expression: Expression) => Expression;
}

const FUNCTIONS = ['round', 'if', 'default', ...AGGREGATES];
const MOST_PLACES = 10;

export function checkCall(call: Call, scope: Scope, checks: Checks): Expression {
  const { name, of, at, where, by } = call;
  const arity = (least: number, most: number, usage: string) => {
    if (of.length < least || of.length > most || where || by) throw new ExpressionFault(`write ${usage}`, at);
  };
  const values = () => of.map((one) => checks.checked(one, scope));
  if (name === 'round') {
    arity(1, 2, 'round(x) or round(x, places)');
    return round(checks.checked(of[0], scope), of.at(1), at);
  }
  if (name === 'if') {
    arity(3, 3, 'if(condition, value, other value)');
    const [condition, ...results] = values();
    const [yes, no] = alike(results, at);
    return { kind: 'if', condition: checks.condition(condition), yes, no, type: commonType([yes, no]) };
  }
  if (name === 'default') {
    arity(2, 2, 'default(x, value if x is missing)');
    const [value, otherwise] = alike(values(), at);
    return { kind: 'default', of: value, otherwise, type: commonType([value, otherwise]) };
  }
  if ((name === 'min' || name === 'max') && of.length > 1) {
    arity(2, 20, `${name}(a, b)`);
    const all = alike(values(), at);
    requireOrder(all[0].type, name, at);
    return { kind: name === 'min' ? 'least' : 'greatest', of: all, type: commonType(all) };
  }
  if (!(AGGREGATES as readonly string[]).includes(name))
    throw new ExpressionFault(`${name} is not a function: there are ${FUNCTIONS.join(', ')}`, at);
  arityOfAggregate(call);
  return aggregate(call, scope, checks);
}

function round(of: Expression, places: Syntax | undefined, at: number): Expression {
  if (of.type.kind !== 'number' && of.type.kind !== 'money') throw new ExpressionFault('round needs a number or an amount', at);
  const number = places && placesOf(places);
  if (number === null) throw new ExpressionFault(`the places of round must be a whole number from -${MOST_PLACES} to ${MOST_PLACES}`, at);
  const isWhole = of.type.kind === 'number' && (number ?? 0) <= 0;
  return { kind: 'round', of, places: number ?? (of.type.kind === 'money' ? null : 0), type: { ...of.type, isWhole, options: undefined } };
}

function placesOf(syntax: Syntax): number | null {
  if (syntax.kind === 'unary' && syntax.operator === '-') {
    const positive = placesOf(syntax.of);
    return positive === null ? null : -positive;
  }
  const number = syntax.kind === 'number' ? Number(syntax.value) : NaN;
  return Number.isInteger(number) && number <= MOST_PLACES ? number : null;
}

/** Values that can stand for each other. */
function alike(values: Expression[], at: number): Expression[] {
  const amount = values.find(({ type }) => type.kind === 'money');
  if (amount) return values.map((value) => matched(amount, value, at, 'combined')[1]);
  const [{ type }] = values;
  if (values.some((value) => value.type.kind !== type.kind)) throw new ExpressionFault('the values must be of one kind', at);
  return values;
}

function commonType(values: readonly Expression[]): ValueType {
  return { kind: values[0].type.kind, currency: values[0].type.currency, isWhole: values.every(({ type }) => type.isWhole) };
}

function requireOrder({ kind }: ValueType, name: string, at: number): void {
  if (!['number', 'money', 'date'].includes(kind)) throw new ExpressionFault(`${name} needs numbers, amounts or dates`, at);
}

function arityOfAggregate({ name, of, at }: Call): void {
  if (of.length > 1) throw new ExpressionFault(`write ${name}(items.price): the column of a table, or what is calculated in each row`, at);
}

function aggregate({ name, of: [of], where, by, at }: Call, scope: Scope, { checked, condition }: Checks): Expression {
  const table = tableOf([of, where, by], scope);
  if (table === null) throw new ExpressionFault(`${name} needs a column of a table, such as ${name}(items.price)`, at);
  const inRow = rowOf(scope, table, null);
  const filter = where && condition(checked(where, inRow));
  const group = by && checked(by, inRow);
  if (group && group.kind !== 'column') throw new ExpressionFault(`by needs a column of ${table}`, at);
  const inside = group?.kind === 'column' ? rowOf(scope, table, [group.column]) : inRow;
  const isTable = of.kind === 'name' && of.name === table;
  if (isTable && name !== 'count') throw new ExpressionFault(`${name} needs a column of ${table}: write ${name}(${table}.column)`, at);
  const value = isTable ? null : checked(of, inside);
  const type = value ? typeOfAggregate(name as AggregateName, value.type, at) : ({ kind: 'number', isWhole: true } as const);
  requireOneCurrency(type, table, scope, at);
  return {
    kind: 'aggregate',
    name: name as AggregateName,
    table,
    of: value,
    where: filter,
    by: group?.kind === 'column' ? group.column : null,
    type,
  };
}

function typeOfAggregate(name: AggregateName, { kind, currency, isWhole }: ValueType, at: number): ValueType {
  if (name === 'count') return { kind: 'number', isWhole: true };
  if (name === 'min' || name === 'max') requireOrder({ kind }, name, at);
  else if (kind !== 'number' && kind !== 'money') throw new ExpressionFault(`${name} needs numbers or amounts`, at);
  return { kind, currency, isWhole: name === 'avg' ? false : isWhole };
}

function requireOneCurrency({ kind, currency = '' }: ValueType, table: string, { rows }: Scope, at: number): void {
  if (kind !== 'money' || !currency.startsWith(`${table}.`)) return;
  const column = currency.slice(table.length + 1);
  if (rows.some((row) => row.table === table && row.columns?.includes(column))) return;
  throw new ExpressionFault(
    `each row has ${currencyName(currency)}, and amounts in different currencies cannot be combined: group the rows by it`,
    at,
  );
}

/** The table whose columns or rows are named, outside of aggregates within. */
function tableOf(parts: readonly (Syntax | null)[], { typeOf, rows }: Scope): string | null {
  for (const part of parts) {
    const found = part && tableIn(part);
    if (found) return found;
  }
  return null;

  function tableIn(syntax: Syntax): string | null {
    switch (syntax.kind) {
      case 'name': {
        const [table] = syntax.name.split('.');
        if (typeOf(table)?.kind === 'table') return table;
        return rows.findLast((row) => !row.isHidden && typeOf(`${row.table}.${syntax.name}`))?.table ?? null;
      }
      case 'unary':
        return tableIn(syntax.of);
      case 'binary':
        return tableIn(syntax.left) ?? tableIn(syntax.right);
      case 'call':
        if ((AGGREGATES as readonly string[]).includes(syntax.name) && syntax.of.length === 1) return null;
        return syntax.of.reduce<string | null>((found, one) => found ?? tableIn(one), null);
      default:
        return null;
    }
  }
}

import { LRUCache } from 'lru-cache';
import type { Decimal } from '../../../kit/index.js';
import { sumOfDecimals } from '../../../kit/internal.js';
import { preparedName, type Queryable } from '../rows/reader.js';
import { insertRowsText } from '../rows/row-sql.js';

export type Statement = Parameters<Queryable['query']>[0];
export type Result<R extends object = object> = Awaited<ReturnType<Queryable['query']>> & { rows: R[] };

/** A statement that adds to one row. */
export interface Increment {
  table: string;
  id: string;
  /** The number of amounts, which are the statement's first values; the number of changes, their time and the id follow. */
  amounts: number;
  /** The statement for several rows, whose values follow each other. */
  textOf(rows: number): string;
}

/** How a statement can be combined with those of other changes: `row` inserts one row, `check` changes nothing. */
export type Shareable = Increment | 'row' | 'check';

/** A statement that waits to be sent. */
export interface WaitingStatement {
  statement: Statement;
  share?: Shareable;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** A statement for one or more changes, each of which gets its result. */
export interface SharedStatement {
  statement: Statement;
  waiting: WaitingStatement[];
}

/** The increments of one row. */
interface SharedIncrement extends SharedStatement {
  share: Increment;
  /** Equal for increments that one statement can make. */
  kind: string;
}

/** By the number of rows and the text for one row. */
const insertTexts = new LRUCache<string, string>({ max: 500 });
/** The numbers of rows that one statement has: few, because each is a prepared statement. */
const ROWS = [16, 8, 4, 2, 1];

/**
 * The statements of several changes in the order in which they are sent; those of each change stay in their order, except checks, which
 * come last. First come the increments with which changes begin, by the table's first use and by id, so that groups lock rows in the same
 * order: those of one row are added up, and those of a table become one statement. Then come the rows that changes insert next, those of
 * one table as one statement. The others follow, then the checks, of which equal ones become one.
 */
export function shareStatements(changes: readonly (readonly WaitingStatement[])[]): SharedStatement[] {
  const increments: WaitingStatement[] = [];
  const rounds: WaitingStatement[][] = [];
  const others: SharedStatement[] = [];
  const checks: WaitingStatement[] = [];
  for (const statements of changes) {
    let round: number | null = 0;
    for (const waiting of statements) {
      const { share } = waiting;
      if (typeof share === 'object' && round === 0) increments.push(waiting);
      else if (share === 'check') checks.push(waiting);
      else if (share === 'row' && round !== null) (rounds[round++] ??= []).push(waiting);
      else {
        round = null;
        others.push({ statement: waiting.statement, waiting: [waiting] });
      }
    }
  }
  return [...shareIncrements(increments), ...rounds.flatMap(shareInsertions), ...others, ...shareChecks(checks)];
}

function shareIncrements(increments: readonly WaitingStatement[]): SharedStatement[] {
  const summed = new Map<string, SharedIncrement>();
  const tables: string[] = [];
  for (const waiting of increments) {
    const { statement } = waiting;
    const share = waiting.share as Increment;
    if (!tables.includes(share.table)) tables.push(share.table);
    // the values after the id restrict the row to the caller's
    const kind = [statement.text, ...(statement.values as unknown[]).slice(share.amounts + 3)].join('\n');
    const key = `${share.id} ${kind}`;
    const same = summed.get(key);
    if (!same) summed.set(key, { statement, waiting: [waiting], share, kind });
    else {
      same.statement = sumOf(same.statement, statement, share.amounts);
      same.waiting.push(waiting);
    }
  }
  const sorted = [...summed.values()].sort(
    ({ share: a }, { share: b }) => tables.indexOf(a.table) - tables.indexOf(b.table) || (a.id < b.id ? -1 : 1),
  );
  const shared: SharedStatement[] = [];
  while (sorted.length > 0) {
    const others = sorted.findIndex(({ kind }) => kind !== sorted[0].kind);
    shared.push(...inParts(sorted.splice(0, others === -1 ? sorted.length : others), incrementOf));
  }
  return shared;
}

function incrementOf(rows: readonly SharedIncrement[]): SharedStatement {
  const [{ statement, share }] = rows;
  if (rows.length === 1) return rows[0];
  const valuesOf = ({ statement: { values } }: SharedIncrement) => (values as unknown[]).slice(0, share.amounts + 3);
  const restrictions = (statement.values as unknown[]).slice(share.amounts + 3);
  const values = [...rows.flatMap(valuesOf), ...restrictions];
  return { statement: prepared(share.textOf(rows.length), values), waiting: rows.flatMap(({ waiting }) => waiting) };
}

function sumOf(one: Statement, other: Statement, amounts: number): Statement {
  const [values, added] = [one.values as unknown[], other.values as unknown[]];
  const sums = values.slice(0, amounts).map((amount, index) => sumOfDecimals(amount as Decimal, added[index] as Decimal));
  const [changes, time] = [Number(values[amounts]) + Number(added[amounts]), laterOf(values[amounts + 1], added[amounts + 1])];
  return { ...one, values: [...sums, changes, time, ...values.slice(amounts + 2)] };
}

/** Of two times in ISO 8601, UTC. */
function laterOf(one: unknown, other: unknown): unknown {
  return (one as string) > (other as string) ? one : other;
}

function shareInsertions(insertions: readonly WaitingStatement[]): SharedStatement[] {
  return [...Map.groupBy(insertions, ({ statement }) => statement.text).values()].flatMap((same) => inParts(same, insertionOf));
}

function shareChecks(checks: readonly WaitingStatement[]): SharedStatement[] {
  const equal = Map.groupBy(checks, ({ statement }) => [statement.text, ...(statement.values as unknown[])].join('\n'));
  return [...equal.values()].map((waiting) => ({ statement: waiting[0].statement, waiting }));
}

function insertionOf(waiting: WaitingStatement[]): SharedStatement {
  const [{ statement }] = waiting;
  if (waiting.length === 1) return { statement, waiting };
  const values = waiting.flatMap((one) => one.statement.values as unknown[]);
  const key = `${waiting.length} ${statement.text}`;
  let text = insertTexts.get(key);
  if (text === undefined) insertTexts.set(key, (text = insertRowsText(statement.text, waiting.length, values.length)));
  return { statement: prepared(text, values), waiting };
}

/** The statement under the name by which PostgreSQL has prepared it. */
export function prepared(text: string, values: unknown[]): Statement {
  return { name: preparedName(text), text, values };
}

/** Statements for as many rows as `ROWS` says. */
function inParts<W>(rows: W[], statementOf: (part: W[]) => SharedStatement): SharedStatement[] {
  const parts: SharedStatement[] = [];
  for (const most of ROWS) while (rows.length >= most) parts.push(statementOf(rows.splice(0, most)));
  return parts;
}

import type { Decimal } from '../../../kit/index.js';
import { sumOfDecimals } from '../../../kit/internal.js';
import type { Statement, WaitingStatement } from './group-commit.js';

/** What a statement adds to one row. */
export interface Increment {
  table: string;
  id: string;
  /** The number of amounts, which are the statement's first values; the number of changes and their time follow. */
  amounts: number;
}

/** A statement for one or more changes, each of which gets its result. */
export interface SharedStatement {
  statement: Statement;
  waiting: WaitingStatement[];
}

/**
 * The statements of several changes in the order in which they are sent: increments of one row become one statement. They go first, by
 * table and id, so that groups lock rows in the same order.
 */
export function shareIncrements(statements: readonly WaitingStatement[]): SharedStatement[] {
  const increments = new Map<string, SharedStatement & { increment: Increment }>();
  const others: SharedStatement[] = [];
  const tables: string[] = [];
  for (const waiting of statements) {
    const { statement, increment } = waiting;
    if (!increment) {
      others.push({ statement, waiting: [waiting] });
      continue;
    }
    if (!tables.includes(increment.table)) tables.push(increment.table);
    const { amounts } = increment;
    // the remaining values restrict the row to the caller's
    const key = [statement.text, ...(statement.values as unknown[]).slice(amounts + 2)].join('\n');
    const shared = increments.get(key);
    if (!shared) increments.set(key, { statement, waiting: [waiting], increment });
    else {
      shared.statement = sumOf(shared.statement, statement, amounts);
      shared.waiting.push(waiting);
    }
  }
  const rank = ({ increment: { table, id } }: { increment: Increment }) => `${String(tables.indexOf(table)).padStart(4, '0')} ${id}`;
  const ordered = [...increments.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return [...ordered, ...others];
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

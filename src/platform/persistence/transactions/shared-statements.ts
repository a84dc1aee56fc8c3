import { LRUCache } from 'lru-cache';
import type { Queryable } from '../rows/queryable.js';
import { preparedName } from '../rows/reader.js';
import { insertRowsText } from '../rows/row-sql.js';

export type Statement = Parameters<Queryable['query']>[0];
export type Result<R extends object = object> = Awaited<ReturnType<Queryable['query']>> & { rows: R[] };

/** What a group may do with a statement: inserts of one `row` become one statement; the increment of a row is sent before the rest. */
export type Shareable = 'row' | { table: string; id: string };

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

/** By the number of rows and the text for one row. */
const insertTexts = new LRUCache<string, string>({ max: 500 });
/** The numbers of rows that one statement has: few, because each is a prepared statement. */
const ROWS = [16, 8, 4, 2, 1];

/**
 * The statements of several changes in the order in which they are sent; those of each change stay in their order. First come the
 * increments with which changes begin, by the table's first use and by id, so that groups lock rows in the same order. Then come the rows
 * that changes insert next, those of one table as one statement. The others follow.
 */
export function shareStatements(changes: readonly (readonly WaitingStatement[])[]): SharedStatement[] {
  const increments: { table: number; id: string; statement: SharedStatement }[] = [];
  const tables: string[] = [];
  const rounds: WaitingStatement[][] = [];
  const others: SharedStatement[] = [];
  for (const statements of changes) {
    let round: number | null = 0;
    for (const waiting of statements) {
      const { share } = waiting;
      if (typeof share === 'object' && round === 0) {
        if (!tables.includes(share.table)) tables.push(share.table);
        increments.push({ table: tables.indexOf(share.table), id: share.id, statement: alone(waiting) });
      } else if (share === 'row' && round !== null) (rounds[round++] ??= []).push(waiting);
      else {
        round = null;
        others.push(alone(waiting));
      }
    }
  }
  increments.sort((a, b) => a.table - b.table || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return [...increments.map(({ statement }) => statement), ...rounds.flatMap(shareInsertions), ...others];
}

function alone(waiting: WaitingStatement): SharedStatement {
  return { statement: waiting.statement, waiting: [waiting] };
}

function shareInsertions(insertions: readonly WaitingStatement[]): SharedStatement[] {
  return [...Map.groupBy(insertions, ({ statement }) => statement.text).values()].flatMap((same) => inParts(same, insertionOf));
}

function insertionOf(waiting: WaitingStatement[]): SharedStatement {
  const [{ statement }] = waiting;
  if (waiting.length === 1) return alone(waiting[0]);
  const values = waiting.flatMap((one) => one.statement.values as unknown[]);
  const key = `${waiting.length} ${statement.text}`;
  let text = insertTexts.get(key);
  if (text === undefined) insertTexts.set(key, (text = insertRowsText(statement.text, waiting.length, values.length)));
  return { statement: { name: preparedName(text), text, values }, waiting };
}

/** Statements for as many rows as `ROWS` says. */
function inParts<W>(rows: W[], statementOf: (part: W[]) => SharedStatement): SharedStatement[] {
  const parts: SharedStatement[] = [];
  for (const most of ROWS) while (rows.length >= most) parts.push(statementOf(rows.splice(0, most)));
  return parts;
}

import pg from 'pg';

// Runs in the application's process.

type Query = (statement: string | { text: string }, ...rest: unknown[]) => unknown;

const recorded: string[] = [];
let original: Query | undefined;

/** Records the text of every statement that this process sends to PostgreSQL, until `takeStatements`. */
export function recordStatements(): void {
  const client = pg.Client.prototype as unknown as { query: Query };
  if (original) throw new Error('Statements are recorded already.');
  const query = (original = client.query);
  client.query = function (this: unknown, statement, ...rest) {
    recorded.push(typeof statement === 'string' ? statement : statement.text);
    return query.call(this, statement, ...rest);
  };
}

/** The recorded statements in the order in which they were sent. */
export function takeStatements(): string[] {
  if (original) (pg.Client.prototype as unknown as { query: Query }).query = original;
  original = undefined;
  return recorded.splice(0);
}

import pg from 'pg';

// Runs in the application's process.

/** A batch is one query to pg. */
type Sent = string | { text: string; statements?: readonly { text: string }[] };
type Query = (sent: Sent, ...rest: unknown[]) => unknown;

const recorded: string[] = [];
let original: Query | undefined;

/** Records the text of every statement that this process sends to PostgreSQL, until `takeStatements`. */
export function recordStatements(): void {
  const client = pg.Client.prototype as unknown as { query: Query };
  if (original) throw new Error('Statements are recorded already.');
  const query = (original = client.query);
  client.query = function (this: unknown, sent, ...rest) {
    recorded.push(...textsOf(sent));
    return query.call(this, sent, ...rest);
  };
}

/** The recorded statements in the order in which they were sent. */
export function takeStatements(): string[] {
  if (original) (pg.Client.prototype as unknown as { query: Query }).query = original;
  original = undefined;
  return recorded.splice(0);
}

function textsOf(sent: Sent): string[] {
  return typeof sent === 'string' ? [sent] : (sent.statements ?? [sent]).map(({ text }) => text);
}

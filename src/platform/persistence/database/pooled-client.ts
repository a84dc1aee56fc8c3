import pg, { type QueryConfig } from 'pg';

type Statement = QueryConfig & { queryMode?: 'extended' };

/** Members that this class sets on pg's query object; a statement with any other one is left to pg. */
const PLAIN = new Set(['text', 'values', 'name', 'queryMode']);

/** A client that passes plain statements to pg without pg's copy of them: it takes as long as the rest of a small query in pg. */
export class PooledClient extends pg.Client {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- pg declares eight overloads, which stay as they are
  override query(statement: any, values?: any, callback?: any): any {
    if (!isPlain(statement) || values !== undefined) return super.query(statement, values, callback);
    const query = Object.assign(new pg.Query(statement.text, statement.values), { name: statement.name, queryMode: statement.queryMode });
    const submit = super.query.bind(this) as (query: pg.Query, values: undefined, callback: unknown) => void;
    if (callback !== undefined) return submit(query, undefined, callback);
    return new Promise((resolve, reject) => {
      submit(query, undefined, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)));
    }).catch((error: Error) => {
      // the trace leads to the caller instead of the socket, as in pg
      Error.captureStackTrace(error);
      throw error;
    });
  }
}

function isPlain(statement: unknown): statement is Statement {
  if (typeof statement !== 'object' || statement === null) return false;
  for (const name in statement) if (!PLAIN.has(name)) return false;
  return true;
}

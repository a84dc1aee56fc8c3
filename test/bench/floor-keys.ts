import type { EntityManager } from 'typeorm';

/**
 * What a floor does of an Idempotency-Key: what nobody can leave out. The key and the response commit with the rows of the write, and a
 * repeat gets that response.
 */
export const KEYS = 'CREATE TABLE IF NOT EXISTS floor_keys (key text PRIMARY KEY, response text NOT NULL)';

export const KEEP = 'INSERT INTO floor_keys (key, response) VALUES ($1, $2)';
export const EARLIER = 'SELECT response FROM floor_keys WHERE key = $1';

/** A write in one statement. */
export interface Write {
  name: string;
  /** Returns a row if it was made, with what only the database knows of the response. */
  text: string;
  values: unknown[];
  response: object;
}

type Statement = Pick<Write, 'name' | 'text' | 'values'>;

/** The same, and it keeps the response for the key: a repeat violates the table's primary key. */
function keeping({ name, text, values, response }: Write, key: string): Statement {
  const next = values.length + 1;
  return {
    name: `${name} once`,
    text: `WITH made AS MATERIALIZED (${text}), kept AS (
             INSERT INTO floor_keys (key, response)
             SELECT $${next}, json_build_array($${next + 1}::json, to_json(made))::text FROM made
           ) SELECT * FROM made`,
    values: [...values, key, JSON.stringify(response)],
  };
}

/** Resolves to the response, of a repeat to that of the first request; null if nothing was made. */
export async function writeOnce(
  run: (statement: Statement) => Promise<object[]>,
  write: Write,
  key: string | undefined,
): Promise<object | null> {
  const { name, text, values, response } = write;
  let failure: unknown = null;
  try {
    const [made] = await run(key === undefined ? { name, text, values } : keeping(write, key));
    if (made) return { ...response, ...made };
  } catch (error) {
    failure = error;
  }
  // a repeat is refused for its key, or for what the first request has changed
  const [earlier] = key === undefined ? [] : ((await run({ name: 'earlier', text: EARLIER, values: [key] })) as { response: string }[]);
  if (earlier) return Object.assign({}, ...(JSON.parse(earlier.response) as object[])) as object;
  if (failure !== null) throw failure as Error;
  return null;
}

/** Makes a write of TypeORM's manager one transaction with its key. */
export async function transactOnce<T>(manager: EntityManager, key: string, write: (inside: EntityManager) => Promise<T>): Promise<T> {
  try {
    return await manager.transaction(async (inside) => {
      const made = await write(inside);
      await inside.query(KEEP, [key, JSON.stringify(made)]);
      return made;
    });
  } catch (error) {
    const [earlier] = await manager.query<{ response: string }[]>(EARLIER, [key]);
    if (!earlier) throw error;
    return JSON.parse(earlier.response) as T;
  }
}

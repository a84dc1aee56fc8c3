import type { Pool } from 'pg';

const SHARED = Symbol.for('server errors of the test');
// explain-failure.mjs, which jest loads, reads it
const errors = ((globalThis as { [SHARED]?: { message: string; text: string }[] })[SHARED] ??= []);
const MOST = 5;
const FAILURES = Symbol.for('job failures of the test');
const readers = ((globalThis as { [FAILURES]?: Set<JobFailures> })[FAILURES] ??= new Set());
/** In the envelope, also where the answer of an MCP call contains it. */
const CAUSE = /"cause":(\{"name":"(?:[^"\\]|\\.)*","message":"(?:[^"\\]|\\.)*","at":(?:null|"(?:[^"\\]|\\.)*")\})/;

/** The errors of jobs whose last run failed since a time. */
type JobFailures = (since: Date) => Promise<string[]>;

/** If a test fails, its message contains the failures of jobs too, until the returned function is called. */
export function noteJobFailures(sql: Pool, organizations?: readonly string[]): () => void {
  const read: JobFailures = async (since) => {
    const { rows } = await sql.query<{ name: string; last_error: string }>(
      // of a job that failed, `due_at` is that time or the one of the next run
      `SELECT DISTINCT ON (name) name, last_error FROM jobs
       WHERE last_error IS NOT NULL AND due_at >= $1 AND ($2::uuid[] IS NULL OR organization_id = ANY($2)) ORDER BY name LIMIT ${MOST}`,
      [since, organizations ?? null],
    );
    return rows.map(({ name, last_error }) => `The job ${name} failed: ${last_error}`);
  };
  readers.add(read);
  return () => void readers.delete(read);
}

/** Notes an unexpected error of the server, so that the message of the test contains it if that fails. */
export function noteServerError(call: string, text: string | undefined): void {
  const [, cause] = CAUSE.exec(text ?? '') ?? [];
  if (cause === undefined || errors.length >= MOST) return;
  const { name, message, at } = JSON.parse(cause) as { name: string; message: string; at: string | null };
  errors.push({ message, text: `${call} failed on the server with ${name}: ${message}\n    at ${at ?? 'an unknown place'}` });
}

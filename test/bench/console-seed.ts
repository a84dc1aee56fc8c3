import { Client } from 'pg';
import type { Workspace } from '../harness/workspace.js';

const KEYS = 40;
/** The days over which the rows are spread. */
const DAYS = 30;

/** Log entries as an organization has them: some keys make most calls, one in twenty fails, a few are made by members. */
export async function seedLogs(databaseUrl: string, workspace: Workspace, rows: number): Promise<void> {
  const keys: string[] = [];
  for (let made = 0; made < KEYS; made++)
    keys.push(
      (await workspace.key({ mode: made % 8 === 0 ? 'test' : 'live', project_id: made % 10 === 9 ? workspace.eng.id : undefined })).id,
    );
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO request_logs (id, organization_id, project_id, mode, api_key_id, member_id, plane, method, route, operation, tool, via,
                                 status, code, latency_ms, address, request_id, idempotent_replay, user_agent, created_at, updated_at)
       SELECT ${uuidAt('r.at')}, $1, CASE WHEN r.key % 10 = 9 THEN $3::uuid END, CASE WHEN r.key % 8 = 0 THEN 'test' ELSE 'live' END,
              CASE WHEN r.of_member THEN NULL ELSE ($4::uuid[])[r.key + 1] END, CASE WHEN r.of_member THEN $5::uuid END,
              CASE WHEN r.of_member THEN 'product' ELSE 'keyed' END, r.method, '/api/v1/ext/module/things' || r.route,
              lower(r.method) || '_things_' || r.route, CASE WHEN r.by_agent THEN lower(r.method) || '_things_' || r.route END,
              CASE WHEN r.by_agent THEN 'mcp' ELSE 'http' END,
              CASE WHEN r.fails THEN (ARRAY[400, 401, 403, 404, 409, 429, 500])[1 + r.route % 7]
                   WHEN r.method = 'GET' THEN 200 ELSE 201 END,
              CASE WHEN r.fails THEN (ARRAY['validation_failed', 'invalid_api_key', 'insufficient_scope', 'not_found', 'resource_conflict',
                                            'rate_limited', 'internal_error'])[1 + r.route % 7] END,
              exp(random() * 4)::real, '203.0.113.' || r.key, 'req_' || md5(r.n::text), false, 'client/1.0', r.at, r.at
       FROM (SELECT n, date_trunc('milliseconds', now() - make_interval(secs => ${DAYS * 86_400} * (1 - n / $2::float8))) AS at,
                    floor(${KEYS} * random() * random())::int AS key, floor(60 * random() * random())::int AS route,
                    (ARRAY['GET', 'GET', 'GET', 'POST', 'PATCH', 'DELETE'])[1 + floor(random() * 6)::int] AS method,
                    random() < 0.05 AS fails, random() < 0.02 AS of_member, random() < 0.1 AS by_agent
             FROM generate_series(1, $2::int) AS n) AS r`,
      [workspace.organizationId, rows, workspace.eng.id, keys, workspace.owner.id],
    );
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

/** A random UUID v7 of a time, in SQL. */
function uuidAt(time: string): string {
  return `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0')
    || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;
}

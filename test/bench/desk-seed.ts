import { Client } from 'pg';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { Client as ApiClient } from '../harness/client.js';
import { makeAgent, makeTicket } from '../../src/modules/desk/testing/desk-fixture.js';
import { insideOf } from '../harness/inside.js';
import { createWorkspace, PASSWORD, signIn, type Workspace } from '../harness/workspace.js';

const NO_LIMIT = 1_000_000_000;
const EPOCH_MS = Date.parse('2026-01-01T00:00:00Z');
/** One of so many seeded tickets is unsolved. */
const RARE = 100;

/** What the measured requests need. */
export interface DeskTenant {
  authorization: string;
  organizationId: string;
  projectId: string;
  agentId: string;
}

export interface DeskTenants {
  few: DeskTenant;
  many: DeskTenant;
}

/** Creates two organizations through the product, and seeds their tickets by SQL. */
export async function seedDesk(
  databaseUrl: string,
  env: Record<string, string>,
  { few, many }: { few: number; many: number },
): Promise<DeskTenants> {
  const config = loadConfig({ ...env, NODE_ENV: 'test', DATABASE_URL: databaseUrl });
  const app = await createApp({ config, databaseUrl, modules: MODULES });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await app.listen(0, '127.0.0.1');
    const host = { url: await app.getUrl(), inside: insideOf(app) };
    const tenants = {
      few: await createTenant(await createWorkspace(host), host.url),
      many: await createTenant(await createWorkspace(host), host.url),
    };
    await seedRows(client, tenants.few, few);
    await seedRows(client, tenants.many, many);
    await client.query('VACUUM ANALYZE');
    return tenants;
  } finally {
    await client.end();
    await app.close();
  }
}

async function createTenant(space: Workspace, url: string): Promise<DeskTenant> {
  const { secret } = await space.key({ module: 'desk', mode: 'live', rate_limit_per_minute: NO_LIMIT });
  const owner = await signIn(url, { email: space.owner.email, password: PASSWORD });
  const agentId = await makeAgent(owner, space.eng.id, space.owner.id);
  // a requester for the measured tickets
  await makeTicket(new ApiClient(url, { authorization: `Bearer ${secret}` }), space.eng.id);
  return { authorization: `Bearer ${secret}`, organizationId: space.organizationId, projectId: space.eng.id, agentId };
}

async function seedRows(client: Client, { projectId, agentId }: DeskTenant, count: number): Promise<void> {
  // skips foreign keys and triggers, whose values are the same here
  await client.query('SET session_replication_role = replica');
  const random = 'substr(md5(q.project_id::text || n), 1, 15)';
  const id = `(lpad(to_hex(${EPOCH_MS} + n * 1000::bigint), 12, '0') || '7100' || '8' || ${random})::uuid`;
  const at = `to_timestamp(${EPOCH_MS / 1000}) + n * interval '1 second'`;
  const isRare = `n % ${RARE} = 0`;
  await client.query(
    `INSERT INTO desk_tickets (id, organization_id, project_id, mode, number, subject, requester_id, requester_email, requester_name,
       queue_id, assignee_id, status_id, status_category, priority, tags, channel, sla_due_at, closed_at, created_by, search, created_at,
       updated_at)
     SELECT ${id}, q.organization_id, q.project_id, 'live', 'S-' || n, 'Problem ' || md5(n::text), gen_random_uuid(),
       'r-' || (n % ($3::int / 2)) || '@customer.example', 'Requester', q.id,
       CASE WHEN ${isRare} THEN $2::uuid END, s.id, s.category, n % 4,
       CASE WHEN ${isRare} THEN ARRAY['rare'] ELSE ARRAY['t' || n % 50] END, 'api',
       CASE WHEN ${isRare} THEN ${at} + interval '1 day' END, CASE WHEN ${isRare} THEN NULL ELSE ${at} END,
       '{"type":"system","id":null,"email":null}', to_tsvector('simple', 'problem w' || md5((n % ($3::int / 2))::text)), ${at}, ${at}
     FROM generate_series(1, $3::int) AS n
     JOIN desk_queues q ON q.project_id = $1 AND q.is_default
     JOIN desk_statuses s ON s.project_id = $1 AND s.category = CASE WHEN ${isRare} THEN 'open' ELSE 'closed' END`,
    [projectId, agentId, count],
  );
  await client.query(
    `INSERT INTO desk_messages (id, organization_id, project_id, mode, ticket_id, kind, author_type, body, created_by, created_at)
     SELECT gen_random_uuid(), organization_id, project_id, 'live', id, 'public', 'requester', 'It does not work.', created_by, created_at
     FROM desk_tickets WHERE project_id = $1`,
    [projectId],
  );
  await client.query('SET session_replication_role = origin');
}

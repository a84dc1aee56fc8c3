import { Client } from 'pg';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { makeType } from '../../src/modules/documents/model/types/document-type.factory.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { insideOf } from '../harness/inside.js';
import { createWorkspace } from '../harness/workspace.js';
import type { Server } from './server.js';

const NO_LIMIT = 1_000_000_000;
const PAPERS = '/api/v1/ext/papers';
const TYPE = 'order';
const JSON_TYPE = { 'content-type': 'application/json' };

/** An organization with a document type that requires approval, and keys bound to its owner and to an approver. */
export interface DocumentTenant {
  headers: Record<string, string>;
  /** The key of the approver: whoever created a document does not decide it. */
  approverHeaders: Record<string, string>;
  organizationId: string;
  projectId: string;
  approver: string;
}

/** The body of create_document. */
export function documentBody({ projectId }: Pick<DocumentTenant, 'projectId'>) {
  return {
    project_id: projectId,
    type_code: TYPE,
    title: 'Order 4711 of Acme',
    source_ref: 'order-4711',
    data_values: { customer: 'Acme GmbH', amount: 125_000, starts_on: '2026-12-01' },
  };
}

/** Creates organizations through the platform. */
export async function createTenants(databaseUrl: string, env: Record<string, string>, count: number): Promise<DocumentTenant[]> {
  const app = await createApp({
    config: loadConfig({ ...env, NODE_ENV: 'test', DATABASE_URL: databaseUrl }),
    databaseUrl,
    modules: MODULES,
  });
  await app.init();
  const field_schema = {
    type: 'object',
    required: ['customer'],
    properties: {
      customer: { type: 'string' },
      amount: { type: 'integer', 'x-format': 'money' },
      starts_on: { type: 'string', format: 'date' },
    },
  } as const;
  try {
    const tenants: DocumentTenant[] = [];
    for (let created = 0; created < count; created++) {
      const { organizationId, eng, owner, member, key, ctx } = await createWorkspace({ url: '', inside: insideOf(app) });
      await makeType(app, ctx(), { code: TYPE, field_schema, requires_approval: true });
      const approver = await member('admin');
      const headersOf = async (memberId: string) => {
        const { secret } = await key({ module: 'documents', actor_user_id: memberId, rate_limit_per_minute: NO_LIMIT });
        return { authorization: `Bearer ${secret}`, ...JSON_TYPE };
      };
      tenants.push({
        headers: await headersOf(owner.id),
        approverHeaders: await headersOf(approver.id),
        organizationId,
        projectId: eng.id,
        approver: approver.email,
      });
    }
    return tenants;
  } finally {
    await app.close();
  }
}

/**
 * Creates copies of a document that the server created, one second apart; with `submitted` also of its pending decision.
 * Returns the ids of the first `named` copies.
 */
export async function copyDocuments(
  databaseUrl: string,
  server: Server,
  tenant: DocumentTenant,
  { count, submitted, named }: { count: number; submitted: boolean; named: number },
): Promise<string[]> {
  const { id } = await call(server, tenant, '/documents', documentBody(tenant));
  if (submitted) await call(server, tenant, `/documents/${id}/submit`, {});
  const client = await connect(databaseUrl);
  try {
    // skips triggers and foreign keys, because the copied row has passed them
    await client.query(`SET session_replication_role = replica`);
    const copied = { id: idOf(id, 'd'), created_at: TIME, updated_at: TIME };
    await copy(client, 'documents', 'id', id, count, { ...copied, number: `s.number || '-' || n`, title: `'Order ' || n`, search: 'NULL' });
    if (submitted)
      await copy(client, 'approval_requests', 'document_id', id, count, { ...copied, id: idOf(id, 'r'), document_id: idOf(id, 'd') });
    const { rows } = await client.query<{ id: string }>(`SELECT ${idOf(id, 'd')} AS id FROM generate_series(1, $1::int) AS n`, [named]);
    return rows.map((row) => row.id);
  } finally {
    await client.end();
  }
}

export async function seedFloorDocuments(databaseUrl: string, count: number): Promise<string[]> {
  const client = await connect(databaseUrl);
  try {
    const { data_values, title, type_code, source_ref } = documentBody({ projectId: '' });
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO floor_documents
         (id, organization_id, project_id, type_id, type_code, title, data_values, source_ref, created_by, created_at, updated_at)
       SELECT ${idOf('floor', 'd')}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $2, $3, $4, $5,
              '{"type":"system","id":null,"email":null}', ${TIME}, ${TIME}
       FROM generate_series(1, $1::int) AS n RETURNING id`,
      [count, type_code, title, JSON.stringify(data_values), JSON.stringify(source_ref)],
    );
    await client.query('INSERT INTO floor_requests (document_id) SELECT id FROM floor_documents');
    return rows.map((row) => row.id);
  } finally {
    await client.end();
  }
}

export async function settle(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl);
  await client.query('VACUUM ANALYZE');
  await client.end();
}

const TIME = `date_trunc('second', now()) - make_interval(secs => 2000000 - n)`;

/** SQL for the n-th UUID v7 of a series. */
function idOf(series: string, kind: string): string {
  const random = `md5('${kind}${series}' || n)`;
  const time = `lpad(to_hex(1700000000000 + n::bigint * 1000), 12, '0')`;
  return `(${time} || '7' || substr(${random}, 1, 3) || '8' || substr(${random}, 4, 15))::uuid`;
}

async function copy(
  client: Client,
  table: string,
  column: string,
  id: string,
  count: number,
  changed: Record<string, string>,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND table_schema = current_schema()`,
    [table],
  );
  const columns = rows.map(({ name }) => `"${name}"`);
  const values = rows.map(({ name }) => changed[name] ?? `s."${name}"`);
  await client.query(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')}
     FROM ${table} s, generate_series(1, $2::int) AS n WHERE s.${column} = $1`,
    [id, count],
  );
}

async function call(server: Server, { headers }: DocumentTenant, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`${server.url}${PAPERS}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as { id: string };
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

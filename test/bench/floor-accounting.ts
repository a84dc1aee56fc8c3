import { fastify } from 'fastify';
import { Pool, type QueryConfig } from 'pg';
import { uuidv7 } from 'uuidv7';
import { writeOnce } from './floor-keys.js';

/**
 * The floor for issuing invoices: a Fastify route that writes the rows in one round trip, by the function of `accounting-sql.ts`. It has
 * no API key, limit or validation.
 */
const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;
const TYPES = ['journal_entry.posted', 'invoice.status_changed', 'invoice.issued'];
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });
const server = fastify();

server.get('/health', () => ({ status: 'ok' }));
server.post<{ Params: { id: string } }>('/invoices/:id/issue', async ({ params: { id }, headers }, reply) => {
  const ids = TYPES.map(() => uuidv7());
  const rest = JSON.stringify({ id: ids[0], object: 'event', data: { object: { object: 'invoice', id, memo: 'x'.repeat(1_500) } } }).slice(
    1,
  );
  const write = {
    name: 'issue',
    text: 'SELECT number FROM bare_issue($1, $2, $3, $4, $5) AS number WHERE number IS NOT NULL',
    values: [id, uuidv7(), ids, TYPES, rest],
    response: { object: 'invoice', id },
  };
  const run = async (statement: QueryConfig) => (await pool.query<object>(statement)).rows;
  const issued = await writeOnce(run, write, headers['idempotency-key'] as string | undefined);
  return issued ?? reply.code(400).send({ error: 'invalid_transition' });
});

process.once('SIGTERM', () => void server.close().then(() => pool.end()));
await server.listen({ port: Number(PORT), host: HOST });

import { fastify } from 'fastify';
import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';

/**
 * The floor for stock: Fastify routes that write the rows of a reservation or movement in one round trip, through the functions of
 * `inventory-sql.ts`, or nothing but the conditional UPDATE of a level. They have no key, limit, validation, lots or idempotency.
 */
interface Line {
  item_id: string;
  location_id: string;
  quantity: string;
  cost_amount?: number;
  reference: string;
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });
const server = fastify();

function eventOf(type: string, object: object): [id: string, rest: string] {
  const id = uuidv7();
  return [id, JSON.stringify({ id, object: 'event', type, data: { object } }).slice(1)];
}

server.get('/health', () => ({ status: 'ok' }));
server.post<{ Body: Line }>('/update', async ({ body: { item_id, location_id, quantity } }, reply) => {
  const { rowCount } = await pool.query({
    name: 'update',
    text: `UPDATE stock_levels SET reserved = reserved + $3, version = version + 1, updated_at = now()
           WHERE item_id = $1 AND location_id = $2 AND on_hand - held - reserved >= $3`,
    values: [item_id, location_id, quantity],
  });
  return rowCount === 1 ? reply.code(201).send({ object: 'stock_reservation' }) : reply.code(409).send({ error: 'insufficient_stock' });
});
server.post<{ Body: Line }>('/reservations', async ({ body }, reply) => {
  const { item_id, location_id, quantity, reference } = body;
  const reservation = { object: 'stock_reservation', id: uuidv7(), ...body, status: 'active' };
  const { rows } = await pool.query<{ reserved: boolean }>({
    name: 'reserve',
    text: 'SELECT bare_reserve($1, $2, $3, $4, $5, $6, $7) AS reserved',
    values: [reservation.id, item_id, location_id, quantity, reference, ...eventOf('stock_reservation.created', reservation)],
  });
  return rows[0].reserved ? reply.code(201).send(reservation) : reply.code(409).send({ error: 'insufficient_stock' });
});
server.post<{ Body: Line }>('/movements', async ({ body }, reply) => {
  const { item_id, location_id, quantity, cost_amount = 0, reference } = body;
  const movement = { object: 'stock_movement', id: uuidv7(), ...body };
  await pool.query({
    name: 'move',
    text: 'SELECT bare_move($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [movement.id, item_id, location_id, quantity, cost_amount, reference, ...eventOf('stock.moved', movement)],
  });
  return reply.code(201).send(movement);
});

process.once('SIGTERM', () => void server.close().then(() => pool.end()));
await server.listen({ port: Number(PORT), host: HOST });

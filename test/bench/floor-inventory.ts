import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import { Pool, type QueryConfig } from 'pg';
import { uuidv7 } from 'uuidv7';
import { writeOnce, type Write } from './floor-keys.js';

/**
 * The floor for stock: Fastify routes that write the rows of a reservation or movement in one round trip, through the functions of
 * `inventory-sql.ts`, or nothing but the conditional UPDATE of a level. They have no API key, limit, validation or lots.
 * With an Idempotency-Key the same statement keeps the response for repeats.
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

async function respond({ headers }: FastifyRequest, reply: FastifyReply, write: Write): Promise<FastifyReply> {
  const run = async (statement: QueryConfig) => (await pool.query<object>(statement)).rows;
  const made = await writeOnce(run, write, headers['idempotency-key'] as string | undefined);
  return made ? reply.code(201).send(made) : reply.code(409).send({ error: 'insufficient_stock' });
}

server.get('/health', () => ({ status: 'ok' }));
server.post<{ Body: Line }>('/update', (request, reply) => {
  const { item_id, location_id, quantity } = request.body;
  const write = {
    name: 'update',
    text: `UPDATE stock_levels SET reserved = reserved + $3, version = version + 1, updated_at = now()
           WHERE item_id = $1 AND location_id = $2 AND on_hand - held - reserved >= $3 RETURNING item_id`,
    values: [item_id, location_id, quantity],
    response: { object: 'stock_reservation' },
  };
  return respond(request, reply, write);
});
server.post<{ Body: Line }>('/reservations', (request, reply) => {
  const { item_id, location_id, quantity, reference } = request.body;
  const reservation = { object: 'stock_reservation', id: uuidv7(), ...request.body, status: 'active' };
  const write = {
    name: 'reserve',
    text: 'SELECT reserved FROM bare_reserve($1, $2, $3, $4, $5, $6, $7) AS reserved WHERE reserved',
    values: [reservation.id, item_id, location_id, quantity, reference, ...eventOf('stock_reservation.created', reservation)],
    response: reservation,
  };
  return respond(request, reply, write);
});
server.post<{ Body: Line }>('/movements', (request, reply) => {
  const { item_id, location_id, quantity, cost_amount = 0, reference } = request.body;
  const movement = { object: 'stock_movement', id: uuidv7(), ...request.body };
  const write = {
    name: 'move',
    text: 'SELECT moved FROM bare_move($1, $2, $3, $4, $5, $6, $7, $8) AS moved WHERE moved',
    values: [movement.id, item_id, location_id, quantity, cost_amount, reference, ...eventOf('stock.moved', movement)],
    response: movement,
  };
  return respond(request, reply, write);
});

process.once('SIGTERM', () => void server.close().then(() => pool.end()));
await server.listen({ port: Number(PORT), host: HOST });

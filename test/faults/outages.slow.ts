import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres.js';
import { startOwnRedis, type OwnRedis } from '../kit/redis.js';
import { createSchema } from '../kit/template-database.js';
import { World } from './world.js';

/** Keeps trying, as a client does that was told to come back. */
async function createThrough(world: World, count: number): Promise<void> {
  for (let made = 0; made < count;) {
    const { status } = await world.key.client
      .post(
        '/api/v1/ext/tasks/tasks',
        { project_id: world.space.eng.id, title: `Task ${made}` },
        { 'idempotency-key': `t-${made}-${count}` },
      )
      .catch(() => ({ status: 0 }));
    if (status === 201) made++;
    else await sleep(200);
  }
}

describe('Redis is away for 40 s', () => {
  let redis: OwnRedis | null;
  let world: World;

  beforeAll(async () => {
    redis = await startOwnRedis();
    if (redis) world = await World.start({ env: { REDIS_URL: redis.url, QUEUE_RECONCILE_MS: '5000' } });
  }, 120_000);
  afterAll(async () => {
    await world?.stop();
    await redis?.stop();
  });

  test('with two workers: deliveries go on, and are prompt again when it is back', async () => {
    if (!redis) return;
    await world.worker();
    await world.worker();
    await world.endpoint('/redis');
    await world.createTasks(50);
    expect(await world.arrived('/redis', 10_000)).toEqual({ missing: [], repeated: [], sameBodies: true });

    const { port } = redis;
    await redis.stop();
    const away = Date.now();
    const since = new Date();
    await createThrough(world, 30);
    expect(await world.arrived('/redis', 30_000, since)).toEqual({ missing: [], repeated: [], sameBodies: true });
    await sleep(Math.max(0, 40_000 - (Date.now() - away)));

    redis = await startOwnRedis(port);
    await sleep(5_000);
    const back = new Date();
    await createThrough(world, 31);
    expect(await world.arrived('/redis', 4_000, back)).toEqual({ missing: [], repeated: [], sameBodies: true });
    await world.settled();
  }, 180_000);
});

describe('PostgreSQL is restarted', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'work-suite-faults-pg-'));
  let postgres: EmbeddedPostgres;
  let gate: Gate;
  let world: World;

  beforeAll(async () => {
    postgres = await startEmbeddedPostgres(dataDir);
    await createSchema(postgres.url);
    gate = await Gate.open(Number(new URL(postgres.url).port));
    const url = new URL(postgres.url);
    url.port = String(gate.port);
    world = await World.start({ databaseUrl: url.href });
  }, 120_000);
  afterAll(async () => {
    await world.stop();
    await gate.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('while deliveries are on their way: nothing is missing, and it moves again within 30 s', async () => {
    await world.worker();
    world.receiver.on('/postgres', (_request, response) => void setTimeout(() => response.end(), 20));
    await world.endpoint('/postgres');
    world.app.sql.on('error', () => undefined);
    const creating = createThrough(world, 200);
    await sleep(500);
    await postgres.stop();
    await sleep(3_000);
    postgres = await startEmbeddedPostgres(dataDir);
    gate.target = Number(new URL(postgres.url).port);
    await creating;
    const { missing, repeated, sameBodies } = await world.arrived('/postgres', 30_000);
    expect([missing, sameBodies]).toEqual([[], true]);
    expect(repeated.length).toBeLessThanOrEqual(10);
    expect(await world.settled()).toEqual({ delivered: 200 });
  }, 120_000);
});

/** A fixed port in front of a server whose port changes with every start. */
class Gate {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    public target: number,
  ) {}

  static async open(target: number): Promise<Gate> {
    const server = createServer();
    const gate = new Gate(server, target);
    server.on('connection', (socket) => gate.pass(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return gate;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(from: Socket): void {
    const to = connect(this.target, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ]) {
      this.sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }
}

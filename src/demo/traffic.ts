import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../kit/index.js';
import { RouteRegistry, type Route } from '../platform/registry/route-registry.js';
import { RequestLog } from '../platform/request-log/request-log.js';

const HOUR_MS = 60 * 60_000;
const HOURS = 14 * 24;
/** Calls in the busiest hour. */
const MOST: Readonly<Record<Mode, number>> = { live: 14, test: 7 };

/** Programs that call. */
const CALLERS = [
  { agent: 'work-suite-client/1.0.0 node/24', address: '203.0.113.18', via: 'http' },
  { agent: 'python-requests/2.32.5', address: '203.0.113.24', via: 'http' },
  { agent: 'claude-ai/0.1.0', address: '198.51.100.7', via: 'mcp' },
] as const;

/** What goes wrong now and then. */
const FAILURES = [
  { status: 404, code: 'not_found', of: (route: Route) => route.path.includes('{') },
  { status: 400, code: 'validation_failed', of: ({ method }: Route) => method !== 'GET' },
];
const FAILURE_RATE = 0.03;

/** The minimal standard generator of Park and Miller: each start gets the same numbers. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/**
 * Writes two weeks of calls into the log, so that overview, logs and analytics show what they are for. Nobody made these calls: they
 * have no bodies and changed nothing.
 */
export async function recordTraffic(app: INestApplicationContext, organizationId: string): Promise<void> {
  const keys = await app.get(DataSource).query<{ id: string; module: string; mode: Mode; actor_member_id: string | null }[]>(
    `SELECT id, module, mode, actor_member_id FROM api_keys
     WHERE organization_id = $1 AND project_id IS NULL AND name LIKE '%full%' ORDER BY id`,
    [organizationId],
  );
  const routes = Map.groupBy(
    app.get(RouteRegistry).routes.filter(({ plane, endpoint }) => plane === 'keyed' && endpoint !== undefined),
    ({ module }) => module,
  );
  const log = app.get(RequestLog);
  const next = numbers(20_261_129);
  const pick = <Item>(items: readonly Item[], skew = 1) => items[Math.floor(next() ** skew * items.length)];
  const now = Date.now();
  for (let hour = 0; hour < HOURS; hour++) {
    const start = new Date(now - (hour + 1) * HOUR_MS);
    const isOffice = start.getUTCHours() >= 7 && start.getUTCHours() < 18 && start.getUTCDay() % 6 !== 0;
    for (const mode of ['live', 'test'] as const) {
      const own = keys.filter((key) => key.mode === mode && routes.has(key.module));
      const calls = Math.round(MOST[mode] * (isOffice ? 0.5 + next() / 2 : 0.2 + next() * 0.2));
      for (let call = 0; call < calls && own.length > 0; call++) {
        const key = pick(own, 1.6);
        // reads are more frequent than changes
        const all = routes.get(key.module)!;
        const reads = all.filter(({ method }) => method === 'GET');
        const route = pick(next() < 0.75 && reads.length > 0 ? reads : all, 1.4);
        const caller = pick(CALLERS);
        const failure = next() < FAILURE_RATE ? FAILURES.find(({ of }) => of(route)) : undefined;
        const operation = route.endpoint!.operation;
        log.record({
          time: new Date(start.getTime() + next() * HOUR_MS),
          organization_id: organizationId,
          project_id: null,
          mode,
          api_key_id: key.id,
          member_id: key.actor_member_id,
          plane: 'keyed',
          method: route.method,
          route: route.path,
          operation,
          tool: caller.via === 'mcp' ? operation : null,
          via: caller.via,
          status: failure?.status ?? route.endpoint!.status ?? 200,
          code: failure?.code ?? null,
          latency_ms: 4 + next() ** 3 * (route.method === 'GET' ? 60 : 160),
          address: caller.address,
          request_id: `req_${Math.floor(next() * 2 ** 31).toString(36)}${Math.floor(next() * 2 ** 31).toString(36)}`,
          idempotent_replay: false,
          user_agent: caller.agent,
        });
      }
    }
  }
}

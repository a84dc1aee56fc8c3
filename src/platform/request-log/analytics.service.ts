import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Ctx } from '../../kit/index.js';
import { modulesWithHiddenCalls } from '../keys/key-permissions.js';
import { ScopeCatalog } from '../keys/scope-catalog.js';
import { renderSql, tablesOf } from '../persistence/rows/render-sql.js';
import { Values } from '../persistence/rows/sql.js';
import type { AnalyticsDto, AnalyticsQuery } from './analytics.dto.js';
import { intervalSql, spanOf, startsOf } from './analytics-span.js';
import { CountedDays, GROUPINGS, hashOnly, type Grouping } from './counted-days.js';
import { CallStats, stepSql } from './latency-histogram.js';
import { visible } from './request-logs.service.js';

const FILTERS = ['project_id', 'api_key_id', 'operation', 'tool', 'code', 'status'] as const;
const COLUMNS = Object.values(GROUPINGS).flat();

/** The columns that a group of calls shares: the interval; the route with outcome and tool; or the key. */
interface Group {
  grouping: Grouping;
  start_at: Date | null;
  method: string | null;
  route: string | null;
  operation: string | null;
  status: number | null;
  code: string | null;
  tool: string | null;
  api_key_id: string | null;
  key_name: string | null;
}

/** Calls of about the same latency. */
interface Cell extends Group {
  step: number;
  calls: number;
  errors: number;
}

interface Count extends Group {
  errors: number;
  steps: string;
}

@Injectable()
export class AnalyticsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly days: CountedDays,
    private readonly catalog: ScopeCatalog,
  ) {}

  async read(ctx: Ctx, query: AnalyticsQuery): Promise<AnalyticsDto> {
    const { from, to } = spanOf(query);
    const interval = query.interval ?? 'hour';
    const groups = await this.groups(ctx, query, from, to, interval);
    const by = (grouping: Grouping, keyOf: (group: Group) => string) => merged(groups.get(grouping) ?? [], keyOf);

    const [totals = new CallStats()] = by('key', () => '').map(({ stats }) => stats);
    const found = new Map(
      by('interval', ({ start_at }) => String((start_at as Date).getTime())).map(({ group, stats }) => [
        (group.start_at as Date).getTime(),
        stats,
      ]),
    );
    return {
      object: 'analytics',
      from: from.toISOString(),
      to: to.toISOString(),
      interval,
      totals: totals.toDto(),
      by_interval: startsOf(from, to, interval).map((start) => ({
        start_at: new Date(start).toISOString(),
        ...(found.get(start) ?? new CallStats()).toDto(),
      })),
      by_route: by('route', ({ method, route, operation }) => JSON.stringify([method, route, operation]))
        .map(({ group, stats }) => ({ method: group.method as string, route: group.route, operation: group.operation, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls || String(one.operation).localeCompare(String(other.operation))),
      by_status: by('route', ({ status }) => String(status))
        .map(({ group, stats }) => ({ status: group.status as number, ...stats.toDto() }))
        .sort((one, other) => one.status - other.status),
      by_key: by('key', ({ api_key_id }) => String(api_key_id))
        .map(({ group, stats }) => ({ api_key_id: group.api_key_id, name: group.key_name, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls || String(one.api_key_id).localeCompare(String(other.api_key_id))),
      by_tool: by('route', ({ tool }) => String(tool))
        .filter(({ group }) => group.tool !== null)
        .map(({ group, stats }) => ({ tool: group.tool as string, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls || one.tool.localeCompare(other.tool)),
      by_code: by('route', ({ code }) => String(code))
        .filter(({ group }) => group.code !== null)
        .map(({ group, stats }) => ({ code: group.code as string, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls || one.code.localeCompare(other.code)),
    };
  }

  /** Whole days have stored counts, unless the query filters by something that they are not grouped by. */
  private groups(ctx: Ctx, query: AnalyticsQuery, from: Date, to: Date, interval: 'hour' | 'day'): Promise<Map<Grouping, GroupStats[]>> {
    // one snapshot, so that all parts have the same total
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await hashOnly(manager);
      const groups = new Groups();
      const counted = FILTERS.some((name) => query[name] !== undefined) ? null : await this.days.within(manager, from, to);
      const spans = counted
        ? [
            { from, to: counted.from },
            { from: counted.to, to },
          ]
        : [{ from, to }];
      for (const span of spans)
        if (span.from < span.to) for (const cell of await entries(manager, this.catalog, ctx, query, span, interval)) groups.add(cell);
      if (counted) for (const count of await counts(manager, this.catalog, ctx, query, counted, interval)) groups.addCount(count);
      return groups.all;
    });
  }
}

interface GroupStats {
  group: Group;
  stats: CallStats;
}

class Groups {
  readonly all = new Map<Grouping, GroupStats[]>();
  private readonly known = new Map<string, CallStats>();

  add(cell: Cell): void {
    this.of(cell).add(cell.step, cell.calls, cell.errors);
  }

  addCount(count: Count): void {
    this.of(count).addCounted(count.steps, count.errors);
  }

  private of(group: Group): CallStats {
    const { grouping, start_at, method, route, operation, status, code, tool, api_key_id } = group;
    const key =
      grouping === 'interval'
        ? String((start_at as Date).getTime())
        : grouping === 'key'
          ? String(api_key_id)
          : [method, route, operation, status, code, tool].join(' ');
    let stats = this.known.get(key);
    if (!stats) {
      this.known.set(key, (stats = new CallStats()));
      const others = this.all.get(grouping);
      if (others) others.push({ group, stats });
      else this.all.set(grouping, [{ group, stats }]);
    }
    return stats;
  }
}

/** One pass over the log's entries of a span, with hash aggregates over latency steps instead of latencies. */
function entries(
  manager: EntityManager,
  catalog: ScopeCatalog,
  ctx: Ctx,
  query: AnalyticsQuery,
  { from, to }: { from: Date; to: Date },
  interval: 'hour' | 'day',
): Promise<Cell[]> {
  const values = new Values();
  const parts = [
    `t.organization_id = ${values.add(ctx.organizationId)}`,
    `t.created_at >= ${values.add(from)}`,
    `t.created_at < ${values.add(to)}`,
    `t.plane = ${values.add(query.plane ?? 'keyed')}`,
  ];
  for (const column of ['mode', ...FILTERS] as const)
    if (query[column] !== undefined) parts.push(`t.${column} = ${values.add(query[column])}`);
  for (const condition of visible(catalog, ctx)) parts.push(renderSql(condition, ctx, tablesOf(manager.connection), values));
  const sets = Object.values(GROUPINGS).map((columns) => `(${columns.join(', ')}, step)`);
  return manager.query<Cell[]>(
    `SELECT counted.*, k.name AS key_name
     FROM (SELECT CASE WHEN GROUPING(start_at) = 0 THEN 'interval' WHEN GROUPING(method) = 0 THEN 'route' ELSE 'key' END AS "grouping",
             ${COLUMNS.join(', ')}, step, sum(calls)::int AS calls, coalesce(sum(calls) FILTER (WHERE failed), 0)::int AS errors
           FROM (SELECT ${intervalSql(interval, 't.created_at')} AS start_at, t.method, t.route, t.operation, t.status, t.code, t.tool,
                   t.api_key_id, t.calls, t.status >= 400 AS failed, ${stepSql('t.latency_ms')} AS step
                 FROM request_logs t WHERE ${parts.join(' AND ')}) AS entries
           GROUP BY GROUPING SETS (${sets.join(', ')})) AS counted
     LEFT JOIN api_keys k ON k.id = counted.api_key_id`,
    values.list,
  );
}

/** The stored counts of whole days. */
function counts(
  manager: EntityManager,
  catalog: ScopeCatalog,
  ctx: Ctx,
  { plane = 'keyed', mode }: AnalyticsQuery,
  { from, to }: { from: Date; to: Date },
  interval: 'hour' | 'day',
): Promise<Count[]> {
  return manager.query<Count[]>(
    `SELECT counted.*, k.name AS key_name
     FROM (SELECT "grouping", ${intervalSql(interval, 'start_at')} AS start_at, method, route, operation, status, code, tool, api_key_id,
             sum(errors)::int AS errors, string_agg(steps, ',') AS steps
           FROM request_log_counts
           WHERE organization_id = $1 AND day >= $2 AND day < $3 AND plane = $4 AND ($5::text IS NULL OR mode = $5)
             AND ($6 OR NOT of_lead_key)
           GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9) AS counted
     LEFT JOIN api_keys k ON k.id = counted.api_key_id`,
    [ctx.organizationId, from, to, plane, mode ?? null, modulesWithHiddenCalls(catalog, ctx).length === 0],
  );
}

function merged(counted: readonly GroupStats[], keyOf: (group: Group) => string): GroupStats[] {
  const groups = new Map<string, GroupStats>();
  for (const { group, stats } of counted) {
    const key = keyOf(group);
    let found = groups.get(key);
    if (!found) groups.set(key, (found = { group, stats: new CallStats() }));
    found.stats.addAll(stats);
  }
  return [...groups.values()];
}

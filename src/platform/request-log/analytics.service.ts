import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors, type Ctx } from '../../kit/index.js';
import { bindNamed, Values } from '../persistence/sql.js';
import type { AnalyticsDto, AnalyticsQuery } from './analytics.dto.js';
import { CallStats, stepSql } from './latency-histogram.js';
import { visible } from './request-logs.service.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_MS = 31 * DAY_MS;

/** A group of calls in one of the four ways of telling them apart. */
interface Cell {
  grouping: 'interval' | 'route' | 'status' | 'key';
  start_at: Date | null;
  method: string | null;
  route: string | null;
  operation: string | null;
  status: number | null;
  api_key_id: string | null;
  key_name: string | null;
  step: number;
  calls: number;
  errors: number;
}

@Injectable()
export class AnalyticsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async read(ctx: Ctx, query: AnalyticsQuery): Promise<AnalyticsDto> {
    const { from, to } = spanOf(query);
    const interval = query.interval ?? 'hour';
    const cells = await this.cells(ctx, query, from, to, interval);
    const by = (grouping: Cell['grouping'], keyOf: (cell: Cell) => string) => group(cells.filter((cell) => cell.grouping === grouping), keyOf);

    const totals = new CallStats();
    for (const { grouping, step, calls, errors } of cells) if (grouping === 'status') totals.add(step, calls, errors);
    const found = new Map(by('interval', ({ start_at }) => (start_at as Date).toISOString()).map(({ cell, stats }) => [(cell.start_at as Date).getTime(), stats]));
    return {
      object: 'analytics', from: from.toISOString(), to: to.toISOString(), interval,
      totals: totals.toDto(),
      by_interval: startsOf(from, to, interval).map((start) => ({ start_at: new Date(start).toISOString(), ...(found.get(start) ?? new CallStats()).toDto() })),
      by_route: by('route', ({ method, route, operation }) => JSON.stringify([method, route, operation]))
        .map(({ cell, stats }) => ({ method: cell.method as string, route: cell.route, operation: cell.operation, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls),
      by_status: by('status', ({ status }) => String(status))
        .map(({ cell, stats }) => ({ status: cell.status as number, ...stats.toDto() }))
        .sort((one, other) => one.status - other.status),
      by_key: by('key', ({ api_key_id }) => String(api_key_id))
        .map(({ cell, stats }) => ({ api_key_id: cell.api_key_id, name: cell.key_name, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls),
    };
  }

  /** The rows are read once and counted by hashing; only the counts are then told apart in four ways. */
  private cells(ctx: Ctx, query: AnalyticsQuery, from: Date, to: Date, interval: 'hour' | 'day'): Promise<Cell[]> {
    const values = new Values();
    const parts = [
      `t.organization_id = ${values.add(ctx.organizationId)}`, `t.created_at >= ${values.add(from)}`, `t.created_at < ${values.add(to)}`,
      `t.plane = ${values.add(query.plane ?? 'keyed')}`,
    ];
    for (const column of ['project_id', 'api_key_id', 'mode'] as const) if (query[column]) parts.push(`t.${column} = ${values.add(query[column])}`);
    for (const condition of visible(ctx)) parts.push(bindNamed(condition.sql, condition.values, values));
    return this.dataSource.query<Cell[]>(
      `WITH counted AS MATERIALIZED (
         SELECT date_trunc('${interval}', t.created_at, 'UTC') AS start_at, t.method, t.route, t.operation, t.status, t.api_key_id, ${stepSql('t.latency_ms')} AS step,
                count(*) AS calls, count(*) FILTER (WHERE t.status >= 400) AS errors
         FROM request_logs t WHERE ${parts.join(' AND ')} GROUP BY 1, 2, 3, 4, 5, 6, 7
       ), told AS (
         SELECT CASE WHEN grouping(start_at) = 0 THEN 'interval' WHEN grouping(method) = 0 THEN 'route' WHEN grouping(status) = 0 THEN 'status' ELSE 'key' END AS "grouping",
                start_at, method, route, operation, status, api_key_id, step, sum(calls)::int AS calls, sum(errors)::int AS errors
         FROM counted GROUP BY GROUPING SETS ((start_at, step), (method, route, operation, step), (status, step), (api_key_id, step))
       )
       SELECT told.*, k.name AS key_name FROM told LEFT JOIN api_keys k ON k.id = told.api_key_id`,
      values.list,
    );
  }
}

function spanOf(query: AnalyticsQuery): { from: Date; to: Date } {
  const to = query.to ? new Date(query.to) : new Date();
  const from = query.from ? new Date(query.from) : new Date(to.getTime() - DAY_MS);
  if (from >= to) throw CommonErrors.validationFailed({ param: 'from', message: 'from must be before to' });
  if (to.getTime() - from.getTime() > LONGEST_MS) throw CommonErrors.validationFailed({ param: 'from', message: 'from must be at most 31 days before to' });
  return { from, to };
}

function startsOf(from: Date, to: Date, interval: 'hour' | 'day'): number[] {
  const length = interval === 'hour' ? HOUR_MS : DAY_MS;
  const starts: number[] = [];
  for (let start = Math.floor(from.getTime() / length) * length; start < to.getTime(); start += length) starts.push(start);
  return starts;
}

function group(cells: readonly Cell[], keyOf: (cell: Cell) => string): { cell: Cell; stats: CallStats }[] {
  const groups = new Map<string, { cell: Cell; stats: CallStats }>();
  for (const cell of cells) {
    const key = keyOf(cell);
    let found = groups.get(key);
    if (!found) groups.set(key, (found = { cell, stats: new CallStats() }));
    found.stats.add(cell.step, cell.calls, cell.errors);
  }
  return [...groups.values()];
}

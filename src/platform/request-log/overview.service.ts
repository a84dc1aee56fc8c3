import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Ctx } from '../../kit/index.js';
import { ScopeCatalog } from '../keys/scope-catalog.js';
import { poolOf } from '../persistence/database/pool.js';
import { renderSql, tablesOf } from '../persistence/rows/render-sql.js';
import { Values } from '../persistence/rows/sql.js';
import { intervalSql, spanOf, startsOf } from './analytics-span.js';
import { CallStats, stepSql } from './latency-histogram.js';
import type { ErrorGroupDto, OverviewDto, OverviewQuery, RateLimitedKeyDto } from './overview.dto.js';
import { visible } from './request-logs.service.js';

const MOST_GROUPS = 20;

interface Cell {
  start_at: Date;
  step: number;
  calls: number;
  errors: number;
}

type Dated<T, K extends keyof T> = Omit<T, K> & Record<K, Date>;
type ErrorGroup = Dated<ErrorGroupDto, 'first_at' | 'last_at'>;
type RateLimitedKey = Dated<RateLimitedKeyDto, 'last_at'>;

/** What the first page of the developer area shows of the request log. */
@Injectable()
export class OverviewService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly catalog: ScopeCatalog,
  ) {}

  async read(ctx: Ctx, { mode }: OverviewQuery): Promise<OverviewDto> {
    const { from, to } = spanOf({});
    const values = new Values();
    const parts = [
      `t.organization_id = ${values.add(ctx.organizationId)}`,
      `t.created_at >= ${values.add(from)}`,
      `t.created_at < ${values.add(to)}`,
      `t.plane = 'keyed'`,
    ];
    if (mode !== undefined) parts.push(`t.mode = ${values.add(mode)}`);
    for (const condition of visible(this.catalog, ctx)) parts.push(renderSql(condition, ctx, tablesOf(this.dataSource), values));
    const where = parts.join(' AND ');
    const [cells, errors, limited] = await Promise.all([
      this.query<Cell>(
        `SELECT ${intervalSql('hour', 't.created_at')} AS start_at, ${stepSql('t.latency_ms')} AS step, sum(t.calls)::int AS calls,
           coalesce(sum(t.calls) FILTER (WHERE t.status >= 400), 0)::int AS errors
         FROM request_logs t WHERE ${where} GROUP BY 1, 2`,
        values,
      ),
      this.query<ErrorGroup>(
        `SELECT g.*, k.name AS key_name, last.id AS last_log_id
         FROM (SELECT t.method, t.route, t.operation, t.status, t.code, t.tool, t.api_key_id, sum(t.calls)::int AS calls,
                 min(t.created_at) AS first_at, max(t.created_at) AS last_at
               FROM request_logs t WHERE ${where} AND t.status >= 400 AND t.status <> 429
               GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY calls DESC, last_at DESC LIMIT ${MOST_GROUPS}) AS g
         LEFT JOIN api_keys k ON k.id = g.api_key_id
         CROSS JOIN LATERAL (
           SELECT l.id FROM request_logs l
           WHERE l.organization_id = $1 AND l.created_at = g.last_at AND l.status >= 400 AND l.status = g.status AND l.method = g.method
             AND (l.route, l.code, l.tool, l.api_key_id) IS NOT DISTINCT FROM (g.route, g.code, g.tool, g.api_key_id)
           LIMIT 1) AS last
         ORDER BY g.calls DESC, g.last_at DESC`,
        values,
      ),
      this.query<RateLimitedKey>(
        `SELECT g.*, k.name AS key_name
         FROM (SELECT t.api_key_id, sum(t.calls)::int AS calls, max(t.created_at) AS last_at
               FROM request_logs t WHERE ${where} AND t.status >= 400 AND t.status = 429
               GROUP BY 1 ORDER BY calls DESC, last_at DESC LIMIT ${MOST_GROUPS}) AS g
         LEFT JOIN api_keys k ON k.id = g.api_key_id
         ORDER BY g.calls DESC, g.last_at DESC`,
        values,
      ),
    ]);
    return {
      object: 'overview',
      from: from.toISOString(),
      to: to.toISOString(),
      totals: statsOf(cells).toDto(),
      by_interval: startsOf(from, to, 'hour').map((start) => ({
        start_at: new Date(start).toISOString(),
        ...statsOf(cells.filter(({ start_at }) => start_at.getTime() === start)).toDto(),
      })),
      errors: errors.map((group) => ({ ...group, first_at: group.first_at.toISOString(), last_at: group.last_at.toISOString() })),
      rate_limited: limited.map((key) => ({ ...key, last_at: key.last_at.toISOString() })),
    };
  }

  private async query<Row extends object>(text: string, values: Values): Promise<Row[]> {
    return (await poolOf(this.dataSource).query<Row>(text, values.list)).rows;
  }
}

function statsOf(cells: readonly Cell[]): CallStats {
  const stats = new CallStats();
  for (const { step, calls, errors } of cells) stats.add(step, calls, errors);
  return stats;
}

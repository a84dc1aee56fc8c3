import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Ctx } from '../../../kit/index.js';
import { Values } from '../../persistence/rows/sql.js';
import { intervalSql, spanOf, startsOf } from '../../request-log/analytics-span.js';
import { CallStats, stepSql } from '../../request-log/latency-histogram.js';
import type { AttemptStatsDto, DeliveryAnalyticsDto, DeliveryAnalyticsQuery } from './delivery-analytics.dto.js';

const MOST_REASONS = 20;

/** Attempts of one endpoint in one interval with one outcome and about the same latency. */
interface Cell {
  start_at: Date;
  endpoint_id: string;
  error: string | null;
  step: number;
  attempts: number;
}

/** Counts delivery attempts, from the attempts themselves: a delivery knows only its last one. */
@Injectable()
export class DeliveryAnalytics {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async read(ctx: Ctx, query: DeliveryAnalyticsQuery): Promise<DeliveryAnalyticsDto> {
    const { from, to } = spanOf(query);
    const interval = query.interval ?? 'hour';
    const cells = await this.cells(ctx, query, from, to, interval);
    const intervals = statsBy(cells, ({ start_at }) => String(start_at.getTime()));
    const endpoints = statsBy(cells, ({ endpoint_id }) => endpoint_id);
    const reasons = statsBy(
      cells.filter(({ error }) => error !== null),
      ({ error }) => error as string,
    );
    return {
      object: 'delivery_analytics',
      from: from.toISOString(),
      to: to.toISOString(),
      interval,
      totals: toDto(statsBy(cells, () => '').get('') ?? new CallStats()),
      by_interval: startsOf(from, to, interval).map((start) => ({
        start_at: new Date(start).toISOString(),
        ...toDto(intervals.get(String(start)) ?? new CallStats()),
      })),
      by_endpoint: byAttempts(endpoints).map(([endpoint_id, stats]) => ({ endpoint_id, ...toDto(stats) })),
      by_error: byAttempts(reasons)
        .slice(0, MOST_REASONS)
        .map(([error, stats]) => ({ error, ...toDto(stats) })),
    };
  }

  private cells(ctx: Ctx, query: DeliveryAnalyticsQuery, from: Date, to: Date, interval: 'hour' | 'day'): Promise<Cell[]> {
    const values = new Values();
    const parts = [
      `a.started_at >= ${values.add(from)}`,
      `a.started_at < ${values.add(to)}`,
      `d.organization_id = ${values.add(ctx.organizationId)}`,
    ];
    for (const column of ['endpoint_id', 'mode'] as const) if (query[column]) parts.push(`d.${column} = ${values.add(query[column])}`);
    const start = intervalSql(interval, 'a.started_at');
    return this.dataSource.query<Cell[]>(
      `SELECT ${start} AS start_at, d.endpoint_id, a.error, ${stepSql('a.latency_ms')} AS step, count(*)::int AS attempts
       FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
       WHERE ${parts.join(' AND ')} GROUP BY 1, 2, 3, 4`,
      values.list,
    );
  }
}

function statsBy(cells: readonly Cell[], keyOf: (cell: Cell) => string): Map<string, CallStats> {
  const groups = new Map<string, CallStats>();
  for (const cell of cells) {
    const key = keyOf(cell);
    let stats = groups.get(key);
    if (!stats) groups.set(key, (stats = new CallStats()));
    stats.add(cell.step, cell.attempts, cell.error === null ? 0 : cell.attempts);
  }
  return groups;
}

function byAttempts(groups: ReadonlyMap<string, CallStats>): [string, CallStats][] {
  return [...groups].sort(([one, a], [other, b]) => b.calls - a.calls || (one < other ? -1 : 1));
}

function toDto(stats: CallStats): AttemptStatsDto {
  const { calls, errors, error_rate, ...latencies } = stats.toDto();
  return { attempts: calls, failures: errors, failure_rate: error_rate, ...latencies };
}

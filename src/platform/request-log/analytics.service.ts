import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Ctx } from '../../kit/index.js';
import { bindNamed, Values } from '../persistence/rows/sql.js';
import type { AnalyticsDto, AnalyticsQuery } from './analytics.dto.js';
import { intervalSql, spanOf, startsOf } from './analytics-span.js';
import { CallStats, stepSql } from './latency-histogram.js';
import { visible } from './request-logs.service.js';

/** A group of calls: by interval, by route with the outcome and the tool, or by key. */
interface Cell {
  grouping: 'interval' | 'route' | 'key';
  start_at: Date | null;
  method: string | null;
  route: string | null;
  operation: string | null;
  status: number | null;
  code: string | null;
  tool: string | null;
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
    const by = (grouping: Cell['grouping'], keyOf: (cell: Cell) => string) =>
      group(
        cells.filter((cell) => cell.grouping === grouping),
        keyOf,
      );

    const totals = new CallStats();
    for (const { grouping, step, calls, errors } of cells) if (grouping === 'key') totals.add(step, calls, errors);
    const found = new Map(
      by('interval', ({ start_at }) => (start_at as Date).toISOString()).map(({ cell, stats }) => [
        (cell.start_at as Date).getTime(),
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
        .map(({ cell, stats }) => ({ method: cell.method as string, route: cell.route, operation: cell.operation, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls || String(one.operation).localeCompare(String(other.operation))),
      by_status: by('route', ({ status }) => String(status))
        .map(({ cell, stats }) => ({ status: cell.status as number, ...stats.toDto() }))
        .sort((one, other) => one.status - other.status),
      by_key: by('key', ({ api_key_id }) => String(api_key_id))
        .map(({ cell, stats }) => ({ api_key_id: cell.api_key_id, name: cell.key_name, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls || String(one.api_key_id).localeCompare(String(other.api_key_id))),
      by_tool: by('route', ({ tool }) => String(tool))
        .filter(({ cell }) => cell.tool !== null)
        .map(({ cell, stats }) => ({ tool: cell.tool as string, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls || one.tool.localeCompare(other.tool)),
      by_code: by('route', ({ code }) => String(code))
        .filter(({ cell }) => cell.code !== null)
        .map(({ cell, stats }) => ({ code: cell.code as string, ...stats.toDto() }))
        .sort((one, other) => other.calls - one.calls || one.code.localeCompare(other.code)),
    };
  }

  /** Three passes over the rows, each with a hash aggregate over latency steps instead of latencies. */
  private async cells(ctx: Ctx, query: AnalyticsQuery, from: Date, to: Date, interval: 'hour' | 'day'): Promise<Cell[]> {
    const values = new Values();
    const parts = [
      `t.organization_id = ${values.add(ctx.organizationId)}`,
      `t.created_at >= ${values.add(from)}`,
      `t.created_at < ${values.add(to)}`,
      `t.plane = ${values.add(query.plane ?? 'keyed')}`,
    ];
    for (const column of ['project_id', 'api_key_id', 'mode', 'operation', 'tool', 'code', 'status'] as const)
      if (query[column] !== undefined) parts.push(`t.${column} = ${values.add(query[column])}`);
    for (const condition of visible(ctx)) parts.push(bindNamed(condition.sql, condition.values, values));

    const count = (columns: string) =>
      `SELECT ${columns}, ${stepSql('t.latency_ms')} AS step, count(*)::int AS calls, (count(*) FILTER (WHERE t.status >= 400))::int
        AS errors
       FROM request_logs t WHERE ${parts.join(' AND ')} GROUP BY ${columns}, step`;
    const start = intervalSql(interval, 't.created_at');
    const nothing = {
      start_at: null,
      method: null,
      route: null,
      operation: null,
      status: null,
      code: null,
      tool: null,
      api_key_id: null,
      key_name: null,
    };
    // one snapshot, so that all parts have the same total
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      // the planner overestimates the groups of an expression, and would sort millions of rows on disk
      await manager.query(`SET LOCAL enable_sort = off`);
      await manager.query(`SET LOCAL work_mem = '64MB'`);
      const read = async (grouping: Cell['grouping'], sql: string) =>
        (await manager.query<Partial<Cell>[]>(sql, values.list)).map((cell) => ({ ...nothing, ...cell, grouping }) as Cell);
      return [
        ...(await read('interval', `SELECT date_bin AS start_at, step, calls, errors FROM (${count(start)}) AS counted`)),
        ...(await read('route', count('t.method, t.route, t.operation, t.status, t.code, t.tool'))),
        ...(await read(
          'key',
          `SELECT counted.*, k.name AS key_name FROM (${count('t.api_key_id')}) AS counted LEFT JOIN api_keys k ON k.id =
            counted.api_key_id`,
        )),
      ];
    });
  }
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

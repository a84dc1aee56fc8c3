import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CommonErrors, sql, Store, type Condition, type Ctx, type Page, type Sql } from '../../kit/index.js';
import { modulesWithHiddenCalls } from '../keys/key-permissions.js';
import { ScopeCatalog } from '../keys/scope-catalog.js';
import { poolOf } from '../persistence/database/pool.js';
import { RequestLogRow } from './request-log.entity.js';
import type { RequestBodiesDto, RequestLogsQuery } from './request-logs.dto.js';
import { KEPT_DAYS, KeptBodies } from './kept-bodies.js';

// Each condition is that of a partial index, as text. It lets the planner use the index, and must say the same as the constant before it.

/** Calls that took at least this long. */
const SLOW_MS = 100;
const IS_SLOW = sql`t.latency_ms >= 100`;
/** The most common methods; the index has the calls with all others. */
const USUAL_METHODS: readonly string[] = ['GET', 'POST'];
const HAS_UNUSUAL_METHOD = sql`t.method <> 'GET' AND t.method <> 'POST'`;
/** The most common statuses of successful calls; the index has those with all others. */
const USUAL_STATUSES: readonly number[] = [200, 201];
const HAS_UNUSUAL_STATUS = sql`t.status < 400 AND t.status <> 200 AND t.status <> 201`;
/** The lowest status of failed calls. */
const FAILED_STATUS = 400;
const HAS_FAILED = sql`t.status >= 400`;

@Injectable()
export class RequestLogsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly kept: KeptBodies,
    private readonly catalog: ScopeCatalog,
  ) {}

  page(ctx: Ctx, query: RequestLogsQuery): Promise<Page<RequestLogRow>> {
    return this.store.page(
      ctx,
      RequestLogRow,
      query,
      ...visible(this.catalog, ctx),
      ...planeConditions(query),
      ...statusConditions(query),
      ...latencyConditions(query),
      ...methodConditions(query),
      ...textConditions(query),
    );
  }

  async get(ctx: Ctx, id: string): Promise<RequestLogRow> {
    const [row] = await this.store.list(ctx, RequestLogRow, { id }, ...visible(this.catalog, ctx));
    if (!row) throw CommonErrors.notFound();
    return row;
  }

  async bodies(ctx: Ctx, id: string): Promise<RequestBodiesDto> {
    const row = await this.get(ctx, id);
    const kept = await this.kept.read(row.request_id, ctx.organizationId);
    if (kept) return { object: 'request_bodies', ...kept, reason: null };
    return { object: 'request_bodies', request: null, response: null, reason: await this.reasonFor(row) };
  }

  private async reasonFor({ organization_id, plane, mode, status, created_at }: RequestLogRow): Promise<RequestBodiesDto['reason']> {
    if (plane !== 'keyed') return 'not_a_key';
    if (created_at.getTime() < Date.now() - KEPT_DAYS * 24 * 60 * 60_000) return 'expired';
    if (mode === 'live' && status < 400) return 'live_success';
    const { rows } = await poolOf(this.dataSource).query<{ kept_bodies: string }>('SELECT kept_bodies FROM organizations WHERE id = $1', [
      organization_id,
    ]);
    const chosen = rows[0].kept_bodies;
    return chosen === 'none' || (chosen === 'test' && mode === 'live') ? 'setting' : 'no_body';
  }
}

/** Calls of some modules' keys require a permission of their own. */
export function visible(catalog: ScopeCatalog, ctx: Ctx): Sql[] {
  const hidden = modulesWithHiddenCalls(catalog, ctx);
  if (hidden.length === 0) return [];
  return [
    sql`NOT EXISTS (SELECT FROM api_keys k
      WHERE k.organization_id = t.organization_id AND k.id = t.api_key_id AND k.module = ANY(${hidden}))`,
  ];
}

/** Calls of signed-in members are shown only on request: this is the log of the API. */
function planeConditions({ plane }: RequestLogsQuery): Condition[] {
  return plane ? [] : [sql`t.plane = 'keyed'`];
}

function statusConditions({ status, status_class, code }: RequestLogsQuery): Condition[] {
  const conditions: Condition[] = [];
  if (status_class) {
    const ranges = status_class.map((name) => Number(name[0]) * 100).map((from) => sql`t.status BETWEEN ${from} AND ${from + 99}`);
    conditions.push(sql.join(ranges, ' OR '));
  }
  // only errors have a code
  const failedOnly = code !== undefined || status?.every((value) => value >= FAILED_STATUS) || status_class?.every((name) => name >= '4');
  if (failedOnly) conditions.push(HAS_FAILED);
  const unusualOnly =
    status?.every((value) => value < FAILED_STATUS && !USUAL_STATUSES.includes(value)) || status_class?.every((name) => name === '3xx');
  if (unusualOnly) conditions.push(HAS_UNUSUAL_STATUS);
  return conditions;
}

function latencyConditions({ latency_ms_from }: RequestLogsQuery): Condition[] {
  return latency_ms_from !== undefined && latency_ms_from >= SLOW_MS ? [IS_SLOW] : [];
}

function textConditions({ text = '' }: RequestLogsQuery): Condition[] {
  if (text.trim() === '') return [];
  const part = text.trim().toLowerCase();
  return [
    sql`strpos(lower(concat_ws(' ', t.method, t.route, t.operation, t.tool, t.code, t.request_id)), ${part}) > 0
      OR EXISTS (SELECT FROM api_keys k
        WHERE k.organization_id = t.organization_id AND k.id = t.api_key_id AND strpos(lower(k.name), ${part}) > 0)`,
  ];
}

function methodConditions({ method }: RequestLogsQuery): Condition[] {
  if (!method || method.some((name) => USUAL_METHODS.includes(name))) return [];
  return [HAS_UNUSUAL_METHOD];
}

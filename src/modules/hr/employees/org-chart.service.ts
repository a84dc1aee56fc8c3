import { Injectable } from '@nestjs/common';
import { own, sql, Store, table, type Ctx, type Sql } from '../../../kit/index.js';
import { Employee } from '../model/employee.entity.js';
import { invalid } from '../model/hr.errors.js';
import type { OrgChartDto, OrgChartNodeDto, OrgChartQuery } from './org-chart.dto.js';

const MOST = 500;
const DEFAULT_DEPTH = 2;

/** Those whom the caller sees. */
const reportsOf = (manager: Sql) => sql`${table(Employee)} r WHERE ${own('r')} AND r.manager_id = ${manager} AND r.status <> 'left'`;
/** Employees who have left are shown as long as somebody reports to them, so that their reports stay in the chart. */
const IS_SHOWN = sql`(e.status <> 'left' OR EXISTS (SELECT FROM ${reportsOf(sql`e.id`)}))`;
const COLUMNS = sql`e.id, e.name, e.position, e.department_id, e.manager_id, e.manager_project_id, e.status`;

/** A key that is bound to a project does not see managers in other projects, so their reports are roots of its chart. */
function rootsOf(rootId: string | undefined, pin: string | null): Sql {
  if (rootId !== undefined) return sql`e.id = ${rootId}`;
  const isTop = sql`e.manager_project_id IS DISTINCT FROM e.project_id AND ${IS_SHOWN}`;
  return pin === null ? sql`${isTop} AND e.manager_id IS NULL` : isTop;
}

function chartOf(roots: Sql, depth: number, pin: string | null): Sql {
  const manager = pin === null ? sql`c.manager_id` : sql`CASE WHEN c.manager_project_id = ${pin} THEN c.manager_id END AS manager_id`;
  return sql`SELECT * FROM (
    WITH RECURSIVE chart AS (
      SELECT ${COLUMNS}, 1 AS level FROM ${table(Employee)} e WHERE ${own('e')} AND ${roots}
      UNION ALL
      SELECT ${COLUMNS}, c.level + 1 FROM chart c JOIN ${table(Employee)} e ON e.manager_id = c.id
      WHERE ${own('e')} AND c.level < ${depth} AND ${IS_SHOWN})
    SELECT c.id, c.name, c.position, c.department_id, ${manager}, c.status, c.level,
      (SELECT count(*)::int FROM ${reportsOf(sql`c.id`)}) AS report_count
    FROM (SELECT * FROM chart LIMIT ${MOST + 1}) c) chart`;
}

@Injectable()
export class OrgChart {
  constructor(private readonly store: Store) {}

  /** Reads level by level until there are enough nodes, so the cost depends on the nodes shown and not on the size of the chart. */
  async of(ctx: Ctx, { root_id, depth = DEFAULT_DEPTH }: OrgChartQuery): Promise<OrgChartDto> {
    const chart = chartOf(rootsOf(root_id, ctx.projectId), depth, ctx.projectId);
    const rows = await this.store.reader(ctx).sql<OrgChartNodeDto>(chart);
    if (root_id !== undefined && rows.length === 0) throw invalid('root_id', 'must be an employee');
    // without mapping each field, because a chart has many nodes
    const nodes = rows.slice(0, MOST);
    nodes.sort((a, b) => a.level - b.level || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));
    return { object: 'org_chart', root_id: root_id ?? null, depth, truncated: rows.length > MOST, nodes };
  }
}

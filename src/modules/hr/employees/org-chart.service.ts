import { Injectable } from '@nestjs/common';
import { Store, sql, type Ctx } from '../../../kit/index.js';
import { invalid } from '../model/hr.errors.js';
import type { OrgChartDto, OrgChartNodeDto, OrgChartQuery } from './org-chart.dto.js';

const MOST = 500;
const DEFAULT_DEPTH = 2;

/** Those whom the caller sees. */
const reportsOf = (alias: string) =>
  `hr_employees r WHERE r.manager_id = ${alias}.id AND r.status <> 'left' AND ($3::uuid IS NULL OR r.project_id = $3)`;
/** Employees who have left are shown as long as somebody reports to them, so that their reports stay in the chart. */
const IS_SHOWN = `(e.status <> 'left' OR EXISTS (SELECT 1 FROM ${reportsOf('e')}))`;

/** A key that is bound to a project does not see managers in other projects, so their reports are roots of its chart. */
const ROOTS = {
  all: 'e.organization_id = $1 AND e.mode = $2 AND e.manager_project_id IS DISTINCT FROM e.project_id AND e.manager_id IS NULL',
  pinned: 'e.organization_id = $1 AND e.mode = $2 AND e.project_id = $3 AND e.manager_project_id IS DISTINCT FROM e.project_id',
  one: 'e.organization_id = $1 AND e.mode = $2 AND e.id = $6 AND ($3::uuid IS NULL OR e.project_id = $3)',
};

const chartOf = (roots: string) => `
  WITH RECURSIVE chart AS (
    SELECT e.id, e.name, e.position, e.department_id, e.manager_id, e.manager_project_id, e.status, 1 AS level
    FROM hr_employees e WHERE ${roots}
    UNION ALL
    SELECT e.id, e.name, e.position, e.department_id, e.manager_id, e.manager_project_id, e.status, c.level + 1
    FROM chart c JOIN hr_employees e ON e.manager_id = c.id
    WHERE c.level < $4 AND ($3::uuid IS NULL OR e.project_id = $3) AND ${IS_SHOWN})
  SELECT c.id, c.name, c.position, c.department_id,
    CASE WHEN $3::uuid IS NULL OR c.manager_project_id = $3 THEN c.manager_id END AS manager_id, c.status, c.level,
    (SELECT count(*)::int FROM ${reportsOf('c')}) AS report_count
  FROM (SELECT * FROM chart LIMIT $5) c`;

@Injectable()
export class OrgChart {
  constructor(private readonly store: Store) {}

  /** Reads level by level until there are enough nodes, so the cost depends on the nodes shown and not on the size of the chart. */
  async of(ctx: Ctx, { root_id, depth = DEFAULT_DEPTH }: OrgChartQuery): Promise<OrgChartDto> {
    const roots =
      root_id !== undefined ? ROOTS.one : ctx.projectId === null ? `${ROOTS.all} AND ${IS_SHOWN}` : `${ROOTS.pinned} AND ${IS_SHOWN}`;
    const values = [ctx.organizationId, ctx.mode, ctx.projectId, depth, MOST + 1, ...(root_id === undefined ? [] : [root_id])];
    const rows = await this.store.reader(ctx).query<OrgChartNodeDto>(sql.legacy(`SELECT * FROM (${chartOf(roots)}) chart`, values));
    if (root_id !== undefined && rows.length === 0) throw invalid('root_id', 'must be an employee');
    // without mapping each field, because a chart has many nodes
    const nodes = rows.slice(0, MOST);
    nodes.sort((a, b) => a.level - b.level || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));
    return { object: 'org_chart', root_id: root_id ?? null, depth, truncated: rows.length > MOST, nodes };
  }
}

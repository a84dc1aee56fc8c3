import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommonErrors, Settings, Store, type Ctx, currentTime } from '../../../../../kit/index.js';
import type { Output } from './report-plan.js';
import { planOf } from './report-plan.js';
import { reportSql, type Position } from './report-sql.js';
import { ReportFields } from './report-fields.service.js';
import type { Report } from './report.entity.js';
import { USUAL_ROWS, type ReportDataDto, type ReportDataQuery } from './reports.dto.js';

type Row = Position & Record<string, unknown>;

/** Runs reports one page at a time. */
@Injectable()
export class ReportData {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly fields: ReportFields,
  ) {}

  async of(ctx: Ctx, report: Report, { limit = USUAL_ROWS, cursor }: ReportDataQuery): Promise<ReportDataDto> {
    const { plan, problems } = planOf(report, await this.fields.columns(ctx, report, true));
    if (problems.length > 0)
      throw CommonErrors.resourceConflict({ message: `The report no longer fits the document types: ${problems[0].message}` });
    // a report with a project always reads that project; a key bound to another project cannot see the report
    const scope = { organizationId: ctx.organizationId, mode: ctx.mode, projectId: ctx.projectId ?? report.project_id };
    const list = hash('sha256', JSON.stringify([scope, report.id, report.version]), 'base64url');
    const statement = reportSql(plan, report.project_id, cursor === undefined ? null : this.position(cursor, list), limit + 1);
    const generated_at = currentTime().toISOString();
    const found = await this.store.reader(ctx).sql<Row>(statement);
    const rows = found.slice(0, limit);
    const has_more = found.length > limit;
    return {
      object: 'report_data',
      report_id: report.id,
      columns: plan.outputs.map(({ key, label, type }) => ({ key, label, type })),
      data: rows.map((row) => Object.fromEntries(plan.outputs.map((output, index) => [output.key, valueOf(output, row[`c${index}`])]))),
      has_more,
      next_cursor: has_more ? this.cursor(rows[rows.length - 1], list) : null,
      generated_at,
    };
  }

  private cursor({ sort, key }: Position, list: string): string {
    return this.settings.encrypt(JSON.stringify([list, sort, key]));
  }

  /** Accepts only cursors issued by `cursor`, for the same report definition and the same scope. */
  private position(cursor: string, expected: string): Position {
    try {
      const [list, sort, key] = JSON.parse(this.settings.decrypt(cursor)) as string[];
      if (list === expected) return { sort, key };
    } catch {
      // same error as for a cursor of another list
    }
    throw CommonErrors.invalidCursor({ param: 'cursor' });
  }
}

function valueOf({ type }: Output, value: unknown): unknown {
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  return type === 'number' ? Number(value) : value;
}

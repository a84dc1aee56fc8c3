import { Injectable } from '@nestjs/common';
import { CommonErrors, definedOf, Projects, sql, Store, type Ctx, type Page } from '../../../../kit/index.js';
import { ReportFields } from './query/report-fields.service.js';
import { planOf } from './query/report-plan.js';
import { Report, type ReportDefinition } from './query/report.entity.js';
import type { AggregateDto, CreateReportDto, ReportsQuery, UpdateReportDto } from './query/reports.dto.js';

const SHARED = sql`t.shared`;

/** Stores reports. The whole definition is validated on every write, so that a saved report can run. */
@Injectable()
export class Reports {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly fields: ReportFields,
  ) {}

  get(ctx: Ctx, id: string): Promise<Report> {
    return this.store.get(ctx, Report, id);
  }

  page(ctx: Ctx, query: ReportsQuery): Promise<Page<Report>> {
    return this.store.page(ctx, Report, query);
  }

  /** A shared report; for API keys, other reports do not exist. */
  async getShared(ctx: Ctx, id: string): Promise<Report> {
    const report = await this.get(ctx, id);
    if (!report.shared) throw CommonErrors.notFound();
    return report;
  }

  pageShared(ctx: Ctx, query: ReportsQuery): Promise<Page<Report>> {
    return this.store.page(ctx, Report, query, SHARED);
  }

  async create(
    ctx: Ctx,
    {
      name,
      description = null,
      dataset,
      columns = [],
      filters = {},
      group_by = [],
      aggregates = [],
      sort = null,
      shared = false,
      project_id = null,
    }: CreateReportDto,
  ): Promise<Report> {
    if (project_id !== null) await this.projects.resolve(ctx, project_id);
    const values = {
      name,
      description,
      dataset,
      columns,
      filters,
      group_by,
      aggregates: aggregates.map(aggregateOf),
      sort,
      shared,
      project_id,
    };
    await this.requireSound(ctx, values);
    return this.store.write(ctx, (tx) => tx.insert(Report, values));
  }

  update(ctx: Ctx, id: string, { aggregates, ...changes }: UpdateReportDto): Promise<Report> {
    return this.store.write(ctx, async (tx) => {
      const report = await tx.target(Report, id);
      const given = definedOf({ ...changes, aggregates: aggregates?.map(aggregateOf) });
      await this.requireSound(ctx, { ...report, ...given });
      return tx.update(report, given);
    });
  }

  async delete(ctx: Ctx, id: string): Promise<void> {
    await this.store.write(ctx, async (tx) => tx.delete(await tx.target(Report, id)));
  }

  private async requireSound(ctx: Ctx, report: ReportDefinition): Promise<void> {
    const { problems: details } = planOf(report, await this.fields.columns(ctx, report));
    if (details.length > 0)
      throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, allowed: details[0].allowed, details });
  }
}

function aggregateOf({ fn, column = null }: AggregateDto): AggregateDto {
  return { fn, column };
}

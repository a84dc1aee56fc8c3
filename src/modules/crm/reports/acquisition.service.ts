import { Injectable } from '@nestjs/common';
import { CommonErrors, currentTime, invalid, own, Projects, sql, Store, table, type Ctx } from '../../../kit/index.js';
import { LeadSource } from '../config/lead-source.entity.js';
import { Lead } from '../leads/lead.entity.js';
import { MOST_ROWS, type AcquisitionQuery, type AcquisitionReportDto, type AcquisitionRowDto } from './acquisition.dto.js';

/** Counts leads by source, campaign and period. */
@Injectable()
export class Acquisition {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  async report(ctx: Ctx, query: AcquisitionQuery): Promise<AcquisitionReportDto> {
    const { interval = 'month', to = dayOf(currentTime()), from = yearBefore(to) } = query;
    if (from > to) throw invalid('from', `must not be after to (${to})`);
    const project = await this.projects.reach(ctx, query.project_id);
    const rows = await this.store.reader(ctx).sql<AcquisitionRowDto>(
      sql`SELECT counted.project_id, to_char(counted.period, 'YYYY-MM-DD') AS period_start_on, counted.source_id, s.name AS source_name,
          counted.utm_source, counted.utm_campaign, counted.leads, counted.submissions, counted.converted
        FROM (
          SELECT l.project_id, date_trunc(${interval}, l.created_at AT TIME ZONE 'UTC') AS period, l.source_id, l.utm_source,
            l.utm_campaign, count(*)::int AS leads, sum(l.submission_count)::int AS submissions, count(l.converted_at)::int AS converted
          FROM ${table(Lead)} l
          WHERE ${own('l')} ${project ? sql`AND l.project_id = ${project.id}` : sql``}
            AND l.created_at >= ${from}::date::timestamp AT TIME ZONE 'UTC'
            AND l.created_at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'
          GROUP BY 1, 2, 3, 4, 5
        ) counted
        LEFT JOIN ${table(LeadSource)} s ON s.id = counted.source_id AND ${own('s')}
        ORDER BY counted.period DESC, counted.leads DESC, counted.project_id, counted.source_id, counted.utm_source, counted.utm_campaign
        LIMIT ${MOST_ROWS + 1}`,
    );
    // a truncated report would contain wrong totals
    if (rows.length > MOST_ROWS)
      throw CommonErrors.validationFailed({
        param: 'from',
        message: `The report has more than ${MOST_ROWS} rows; narrow it with from and to, or choose a longer interval`,
      });
    return { object: 'acquisition_report', from, to, interval, rows };
  }
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function yearBefore(day: string): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCFullYear(Math.max(1000, time.getUTCFullYear() - 1));
  return dayOf(time);
}

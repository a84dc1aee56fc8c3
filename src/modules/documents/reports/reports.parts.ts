import type { DomainModuleOptions } from '../../../kit/index.js';
import { OrgReportsController } from './org-reports.controller.js';
import { ReportData } from './query/report-data.service.js';
import { ReportFields } from './query/report-fields.service.js';
import { Report } from './query/report.entity.js';
import { ReportsController } from './reports.controller.js';
import { Reports } from './reports.service.js';

/**
 * - `reports/`: saved reports on documents, parties, approvals and obligations, as JSON and CSV.
 * - `query/`: what a report selects, checked against its dataset and turned into SQL.
 */
export const REPORTS = {
  entities: [Report],
  controllers: [ReportsController, OrgReportsController],
  providers: [Reports, ReportData, ReportFields],
} satisfies Partial<DomainModuleOptions>;

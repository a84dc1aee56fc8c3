import type { DomainModuleOptions } from '../../../kit/index.js';
import { OrgReportsController } from './org-reports.controller.js';
import { ReportData } from './report-data.service.js';
import { ReportFields } from './report-fields.service.js';
import { Report } from './report.entity.js';
import { ReportsController } from './reports.controller.js';
import { Reports } from './reports.service.js';

/** `reports/`: saved reports on documents, parties, approvals and obligations. */
export const REPORTS = {
  entities: [Report],
  controllers: [ReportsController, OrgReportsController],
  providers: [Reports, ReportData, ReportFields],
} satisfies Partial<DomainModuleOptions>;

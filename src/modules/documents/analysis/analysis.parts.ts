import type { DomainModuleOptions } from '../../../kit/index.js';
import { AiAnalysis } from './analyses/ai-analysis.entity.js';
import { AiProviders } from './analyses/ai-providers.js';
import { AiController } from './analyses/ai.controller.js';
import { Analyses } from './analyses/analyses.service.js';
import { AnalysisSubjects } from './analyses/analysis-subjects.js';
import { AnalyzeDocument } from './analyses/analyze-document.job.js';
import { AutoAnalyses } from './analyses/auto-analyses.js';
import { DocumentTexts } from './analyses/document-text.js';
import { AiCreditAccount } from './credits/ai-credit-account.entity.js';
import { AiCreditEntry } from './credits/ai-credit-entry.entity.js';
import { AiCredits } from './credits/ai-credits.service.js';
import { AiRun } from './credits/ai-run.entity.js';
import { OrgAiCreditsController } from './credits/org-ai-credits.controller.js';
import { ReleaseExpiredRuns } from './credits/release-expired-runs.scheduled-job.js';
import { CheckRulePack } from './drift/check-rule-pack.job.js';
import { CheckRulePacks } from './drift/check-rule-packs.scheduled-job.js';
import { OrgRulePacksController } from './drift/org-rule-packs.controller.js';
import { RegulatoryCheck } from './drift/regulatory-check.entity.js';
import { RegulatoryDrift } from './drift/regulatory-drift.js';
import { RegulatoryFinding } from './drift/regulatory-finding.entity.js';
import { RegulatoryRulePack } from './drift/regulatory-rule-pack.entity.js';
import { RulePacks } from './drift/rule-packs.service.js';
import { AiSettings } from './provider/ai-settings.js';
import { OrgReportsController } from './reports/org-reports.controller.js';
import { ReportData } from './reports/query/report-data.service.js';
import { ReportFields } from './reports/query/report-fields.service.js';
import { Report } from './reports/query/report.entity.js';
import { ReportsController } from './reports/reports.controller.js';
import { Reports } from './reports/reports.service.js';

/** Reads documents and says what is in them. No other wing imports it. */
export const ANALYSIS = {
  entities: [AiAnalysis, AiRun, AiCreditAccount, AiCreditEntry, RegulatoryRulePack, RegulatoryFinding, RegulatoryCheck, Report],
  controllers: [AiController, OrgAiCreditsController, OrgRulePacksController, ReportsController, OrgReportsController],
  providers: [
    Analyses,
    AnalysisSubjects,
    AutoAnalyses,
    AiCredits,
    AiProviders,
    DocumentTexts,
    RulePacks,
    RegulatoryDrift,
    Reports,
    ReportData,
    ReportFields,
  ],
  settings: [AiSettings],
  jobs: [AnalyzeDocument, CheckRulePack],
  scheduledJobs: [ReleaseExpiredRuns, CheckRulePacks],
  // how long a result is reused without being paid for again
  retention: [
    { table: 'ai_analyses', column: 'analysed_at', keepDays: 30, where: `mode = 'test'`, batch: 500 },
    { table: 'ai_analyses', column: 'analysed_at', keepDays: 90, batch: 500 },
  ],
} satisfies Partial<DomainModuleOptions>;

import { DomainError, Job, Store, type Ctx, type JobHandler, type JobRun } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { Analyses } from './analyses.service.js';
import { AnalysisSubjects } from './analysis-subjects.js';
import { ObligationProposals } from '../../workflow/obligations/obligation-proposals.js';
import type { AnalysisKind, RisksResult, SummaryResult } from '../provider/provider.js';

interface Payload {
  document_id: string;
  kind: AnalysisKind;
}

/** Runs an analysis that the document's type asks for. A repeated run finds its result in the cache; the outcome is in the audit trail. */
@Job({
  name: 'documents.analyse_document',
  outbound: true,
  attempts: 4,
})
export class AnalyzeDocument implements JobHandler<Payload> {
  constructor(
    private readonly store: Store,
    private readonly subjects: AnalysisSubjects,
    private readonly analyses: Analyses,
    private readonly proposals: ObligationProposals,
  ) {}

  async run(ctx: Ctx, { document_id, kind }: Payload, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    const document = await this.store.find(ctx, Document, document_id);
    if (!document) return;
    try {
      const { text } = await this.subjects.of(ctx, { document_id });
      const request = { kind, text, perspective: 'neutral', customFocus: null, force: false, documentId: document_id };
      const { analysis } = await this.analyses.run(ctx, request, signal);
      if (kind === 'summary') await this.proposals.propose(ctx, document_id, (analysis.result as SummaryResult).key_dates);
      const severity = kind === 'risks' ? { overall_severity: (analysis.result as RisksResult).overall_severity } : {};
      await this.record(ctx, document, kind, { status: 'completed', detail: { analysis_id: analysis.id, ...severity } });
    } catch (error) {
      // a retry would fail again, for example without credits or with a text that is too long
      if (!(error instanceof DomainError) || !isPermanent(error)) throw error;
      await this.record(ctx, document, kind, { status: 'failed', error: error.message });
    }
  }

  private async record(
    ctx: Ctx,
    { id, project_id }: Document,
    kind: AnalysisKind,
    entry: Pick<AuditEntry, 'status'> & Partial<AuditEntry>,
  ): Promise<void> {
    await this.store.write(ctx, (tx) =>
      tx.insert(AuditEntry, { project_id, document_id: id, action: `papers.ai_${kind}`, actor: ctx.actor, ...entry }),
    );
  }
}

function isPermanent({ spec, occurrence }: DomainError): boolean {
  return spec.status < 500 || occurrence.details?.[0]?.code === 'insufficient_credits';
}

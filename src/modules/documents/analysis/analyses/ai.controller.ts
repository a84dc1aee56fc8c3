import { Body, Controller, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Store } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { Analyses } from './analyses.service.js';
import { AiRisksDto, AiSummaryDto, AnalyseDto } from './analyses.dto.js';
import { AnalysisSubjects } from './analysis-subjects.js';
import { ObligationProposals } from '../../workflow/obligations/obligation-proposals.js';
import type { AnalysisKind, SummaryResult } from '../provider/provider.js';

const scope = 'papers:ai:run';
const member = { permission: 'papers.ai.run' };
const errors = [CommonErrors.projectScopeMismatch, CommonErrors.notFound, DocumentErrors.aiExecutionFailed, DocumentErrors.contentErased];

@Controller('/api/v1/ext/papers/ai')
export class AiController {
  constructor(
    private readonly store: Store,
    private readonly subjects: AnalysisSubjects,
    private readonly analyses: Analyses,
    private readonly proposals: ObligationProposals,
  ) {}

  @Post('summarize')
  @Endpoint({
    scope,
    member,
    operation: 'summarize_document',
    summary: 'Summarize a text',
    returns: AiSummaryDto,
    openWorld: true,
    ownTransactions: true,
    dryRun: true,
    errors,
    description:
      'Costs one credit per started 4,000 characters, nothing if failed or repeated. Dates of duties become proposed obligations.',
  })
  async summarize(@Ctx() ctx: Ctx, @Body() body: AnalyseDto): Promise<AiSummaryDto> {
    const { analysed, documentId } = await this.analyse(ctx, 'summary', body);
    if (documentId !== null) await this.proposals.propose(ctx, documentId, (analysed.analysis.result as SummaryResult).key_dates);
    return AiSummaryDto.from(analysed, documentId);
  }

  @Post('risks')
  @Endpoint({
    scope,
    member,
    operation: 'analyze_document_risks',
    summary: 'Analyze the risks of a text',
    returns: AiRisksDto,
    openWorld: true,
    ownTransactions: true,
    dryRun: true,
    errors,
    description: 'Costs two credits per started 4,000 characters, nothing if failed or repeated.',
  })
  async risks(@Ctx() ctx: Ctx, @Body() body: AnalyseDto): Promise<AiRisksDto> {
    const { analysed, documentId } = await this.analyse(ctx, 'risks', body);
    return AiRisksDto.from(analysed, documentId);
  }

  private async analyse(ctx: Ctx, kind: AnalysisKind, body: AnalyseDto) {
    const { text, documentId } = await this.subjects.of(ctx, body);
    const request = {
      kind,
      text,
      documentId,
      perspective: body.perspective ?? 'neutral',
      customFocus: body.custom_focus ?? null,
      force: body.force ?? false,
    };
    const analysed = this.store.isDryRun(ctx)
      ? await this.analyses.plan(ctx, request)
      : await this.analyses.run(ctx, request, new AbortController().signal);
    return { analysed, documentId };
  }
}

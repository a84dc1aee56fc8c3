import { Injectable } from '@nestjs/common';
import { Jobs, type Ctx, type Tx } from '../../../../kit/index.js';
import type { Trigger } from '../../model/core/document-states.js';
import type { Document } from '../../model/records/document.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import type { MoveHook } from '../../workflow/moves/move-hook.js';
import { AnalyzeDocument } from './analyze-document.job.js';

/** Adds a job for each analysis that the document's type runs on submission. */
@Injectable()
export class AutoAnalyses implements MoveHook {
  constructor(
    private readonly jobs: Jobs,
    private readonly versions: TypeVersions,
  ) {}

  async afterMove(ctx: Ctx, tx: Tx, { id, type_id, type_version }: Document, trigger: Trigger | 'override'): Promise<void> {
    if (trigger !== 'submit') return;
    const { definition } = await this.versions.get(ctx, type_id, type_version);
    for (const kind of definition.ai_auto_run)
      await this.jobs.add(ctx, tx, AnalyzeDocument, { document_id: id, kind }, { key: `${id} ${kind}` });
  }
}

import { Injectable } from '@nestjs/common';
import { Jobs, type Ctx, type Tx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { AnalyseDocument } from './analyze-document.job.js';

/** The analyses that a type asks for by itself: added as jobs with the submission, so that nobody waits for them. */
@Injectable()
export class AutoAnalyses {
  constructor(private readonly jobs: Jobs) {}

  async start(ctx: Ctx, tx: Tx, document: Document, { ai_auto_run }: TypeDefinition): Promise<void> {
    for (const kind of ai_auto_run)
      await this.jobs.add(ctx, tx, AnalyseDocument, { document_id: document.id, kind }, { key: `${document.id} ${kind}` });
  }
}

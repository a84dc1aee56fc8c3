import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, isLongerThan, Projects, RowKeys, Store, type Ctx } from '../../../../kit/index.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';
import { Document } from '../../model/records/document.entity.js';
import { LONGEST_TEXT, type AnalyseDto } from './analyses.dto.js';
import { DocumentTexts } from './document-text.js';

/** Resolves the text that a call asks to analyze. */
@Injectable()
export class AnalysisSubjects {
  constructor(
    private readonly store: Store,
    private readonly keys: RowKeys,
    private readonly projects: Projects,
    private readonly texts: DocumentTexts,
  ) {}

  async of(
    ctx: Ctx,
    { document_id, raw_text, project_id }: Pick<AnalyseDto, 'document_id' | 'raw_text' | 'project_id'>,
  ): Promise<{ text: string; documentId: string | null }> {
    if (document_id === undefined && raw_text === undefined)
      throw CommonErrors.missingFields({ param: 'document_id', message: 'document_id or raw_text is required' });
    if (document_id !== undefined && raw_text !== undefined)
      throw invalid('raw_text', 'and document_id are mutually exclusive; send one of them');
    // an analysis belongs to no project; project_id only restricts which documents are found
    const project = await this.projects.reach(ctx, project_id);
    if (document_id === undefined) return { text: within(raw_text as string, 'raw_text'), documentId: null };
    const document = await this.store.get(ctx, Document, await this.keys.idOf(ctx, DOCUMENT_NUMBER, document_id, 'document_id'));
    if (project && document.project_id !== project.id) throw CommonErrors.notFound();
    return { text: within(await this.texts.of(ctx, document), 'document_id'), documentId: document.id };
  }
}

function within(text: string, param: string): string {
  if (isLongerThan(text, LONGEST_TEXT))
    throw CommonErrors.payloadTooLarge({
      param,
      message: `${param} has ${[...text].length} characters of text; the maximum is ${LONGEST_TEXT}`,
    });
  return text;
}

import { Injectable } from '@nestjs/common';
import { Projects, Store, type Ctx } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';
import { TypeVersions } from '../model/types/type-versions.js';
import { contentOf } from './content/content-of.js';
import { contentTokens } from './content/document-content.js';
import { PdfTypesetter } from './typesetting/pdf-typesetter.js';
import { renderHtml, type Watermark } from './content/render-html.js';
import { Rendition } from '../model/records/rendition.entity.js';

/** The readable form of a document: the frozen bytes if it is finalized, otherwise a draft rendered on demand. */
@Injectable()
export class Contents {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly versions: TypeVersions,
    private readonly typesetter: PdfTypesetter,
  ) {}

  async html(ctx: Ctx, document: Document): Promise<string> {
    const frozen = await this.frozen(ctx, document);
    if (frozen) return frozen.html;
    return renderHtml((await this.draft(ctx, document)).content, watermarkOf(document));
  }

  async pdf(ctx: Ctx, document: Document): Promise<Buffer> {
    const frozen = await this.frozen(ctx, document);
    if (frozen) return frozen.pdf;
    const { content, subject } = await this.draft(ctx, document);
    // Check the length here: an error from the worker thread would lose the name of the field.
    contentTokens(content);
    return this.typesetter.pdf({ content, subject, created_at: document.updated_at, watermark: watermarkOf(document) });
  }

  /** The executed rendition of the current revision, or else the final one. Null before the document is finalized. */
  async frozen(ctx: Ctx, { id, revision, finalized_at, executed_at }: Document): Promise<Rendition | null> {
    if (finalized_at === null) return null;
    const [rendition] = await this.store.list(ctx, Rendition, {
      document_id: id,
      revision,
      kind: executed_at === null ? 'final' : 'executed',
    });
    return rendition ?? null;
  }

  private async draft(ctx: Ctx, document: Document) {
    const type = await this.versions.get(ctx, document.type_id, document.type_version);
    const { timezone } = await this.projects.get(ctx, document.project_id);
    return { content: contentOf(document, type, timezone), subject: type.name };
  }
}

function watermarkOf({ mode }: Document): Watermark {
  return mode === 'test' ? 'TEST DRAFT' : 'DRAFT';
}

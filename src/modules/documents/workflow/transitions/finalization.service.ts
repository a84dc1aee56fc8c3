import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Projects, type Ctx, type Tx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { numberAt } from '../../model/records/numbering.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { requireComplete } from '../../model/core/data-values.js';
import { requireDays } from '../../model/rules/value-days.js';
import { Images } from '../images/images.service.js';
import { DocumentMoves, type MoveBasis } from '../moves/document-moves.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { renderFileHtml } from '../../engine/content/render-html.js';
import { contentOf } from '../../engine/content/content-of.js';
import { FilledFiles, filledTexts } from '../content/filled-files.service.js';
import { Letterheads } from '../content/letterheads.service.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import { requirePrintable } from '../../engine/pdf/printable-content.js';
import { Rendition } from '../../model/records/rendition.entity.js';

/** Freezes documents: a finalized document has the same bytes forever. */
@Injectable()
export class Finalization {
  constructor(
    private readonly versions: TypeVersions,
    private readonly projects: Projects,
    private readonly moves: DocumentMoves,
    private readonly letterheads: Letterheads,
    private readonly typesetter: PdfTypesetter,
    private readonly filled: FilledFiles,
    private readonly images: Images,
  ) {}

  /** For a document that the transaction has locked. */
  async finalize(ctx: Ctx, tx: Tx, document: Document, basis: MoveBasis = {}): Promise<Document> {
    const type = await this.versions.get(ctx, document.type_id, document.type_version);
    const allowed = await this.moves.check(ctx, document, 'finalize', 'finalized', basis);
    requireComplete(document);
    requireDays(type.definition, document.data_values, (await this.projects.get(ctx, document.project_id)).timezone);
    const changes = await this.freeze(ctx, tx, document, type);
    return this.moves.move(ctx, tx, document, 'finalize', 'finalized', { ...basis, allowed, changes });
  }

  /** Renders and stores the current document; returns the resulting changes of its columns. */
  async freeze(ctx: Ctx, tx: Tx, document: Document, type: DocumentTypeVersion): Promise<Partial<Document>> {
    const project = await this.projects.get(ctx, document.project_id);
    const finalized_at = tx.startedAt;
    const number = document.number ?? (await numberAt('finalize', tx, type, document.type_code, project, ctx, finalized_at));
    const printed = contentOf({ ...document, number, finalized_at } as Document, type, project.timezone);
    const content = await this.images.within(ctx, document, printed);
    await requirePrintable(tx, content, type.definition);
    const watermark = document.mode === 'test' ? ('TEST' as const) : undefined;
    const input = { content, subject: type.name, created_at: finalized_at, watermark, letterhead: await this.letterheads.of(ctx) };
    const [file] = (await tx.list(DocumentFile, { document_id: document.id })) as (DocumentFile | undefined)[];
    const places = file && [file.sha256, file.fields.map(({ form_field }) => form_field), file.values];
    // the key contains everything that is printed, so a document or gapless number that changed in the meantime is rendered again
    const key = `rendition ${hash('sha256', JSON.stringify([input, places]))}`;
    const { pdf, html, fields, sha256 } = await tx.advanced.prepared(key, async () => {
      const rendition = file
        ? {
            pdf: await this.filled.final(file, content),
            fields: [],
            html: renderFileHtml(content, filledTexts(file, content), watermark),
          }
        : await this.typesetter.rendition(input);
      return { ...rendition, sha256: hash('sha256', rendition.pdf) };
    });
    await tx.insert(Rendition, {
      project_id: document.project_id,
      document_id: document.id,
      revision: document.revision,
      kind: 'final',
      pdf,
      html,
      fields,
      sha256,
    });
    return { number, content_sha256: sha256, finalized_at };
  }
}

import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Files, Projects, type Ctx, type Tx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { numberAt } from '../../model/records/numbering.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { requireComplete } from '../../model/core/data-values.js';
import { requireDays } from '../../model/rules/value-days.js';
import { PrintedContents } from '../content/printed-contents.service.js';
import { DocumentMoves, type MoveBasis } from '../moves/document-moves.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { renderFileHtml } from '../../engine/content/render-html.js';
import { FilledFiles, filledTexts } from '../content/filled-files.service.js';
import { Letterheads } from '../content/letterheads.service.js';
import { contentHash } from '../../engine/certificate/certificate-evidence.js';
import type { DocumentContent } from '../../engine/content/document-content.js';
import type { Watermark } from '../../engine/content/printed-words.js';
import type { RenderedDocument } from '../../engine/typesetting/pdf-worker.js';
import type { NewFile } from '../files/document-files.service.js';
import { FurtherFiles } from '../files/further-files.service.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import { requirePrintable } from '../../engine/pdf/printable-content.js';
import { Rendition } from '../../model/records/rendition.entity.js';

/** Freezes documents: a finalized document has the same bytes forever. */
@Injectable()
export class Finalization {
  constructor(
    private readonly files: Files,
    private readonly versions: TypeVersions,
    private readonly projects: Projects,
    private readonly moves: DocumentMoves,
    private readonly letterheads: Letterheads,
    private readonly typesetter: PdfTypesetter,
    private readonly filled: FilledFiles,
    private readonly printed: PrintedContents,
    private readonly further: FurtherFiles,
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
    const planned = await this.printed.planned(ctx, { ...document, number, finalized_at } as Document, type, project.timezone);
    const { content } = planned;
    await requirePrintable(tx, content, type.definition);
    const watermark = document.mode === 'test' ? ('TEST' as const) : undefined;
    const input = { subject: type.name, created_at: finalized_at, watermark };
    const letterhead = await this.letterheads.row(ctx);
    const { name, color, logo_sha256 } = letterhead;
    const [file] = (await tx.list(DocumentFile, { document_id: document.id, is_main: true })) as (DocumentFile | undefined)[];
    const further = await this.further.of(tx, document);
    const placesOf = ({ sha256, fields, values }: NewFile) => [sha256, fields.map(({ form_field }) => form_field), values];
    const places = [file && placesOf(file), ...further.map(placesOf)];
    // the key contains everything that is printed, pictures by their hashes, so a document or gapless number that changed in the meantime
    // is rendered again; contents of files are read only here, where no transaction is open and nothing is locked
    const key = `rendition ${hash('sha256', JSON.stringify([input, content, name, color, logo_sha256, places]))}`;
    const renditions = await tx.advanced.prepared(key, async () => {
      const rendered = [
        file
          ? await this.frozen(ctx, file, content, watermark)
          : await this.typesetter.rendition({
              ...input,
              content: await this.printed.drawn(ctx, planned),
              letterhead: await this.letterheads.drawn(ctx, letterhead),
            }),
      ];
      for (const one of further) rendered.push({ ...(await this.frozen(ctx, one, content, watermark)), fields: one.fields });
      return rendered.map((one) => ({ ...one, sha256: hash('sha256', one.pdf) }));
    });
    const { project_id, id: document_id, revision, files } = document;
    for (const [index, rendition] of renditions.entries()) {
      const own = files.at(index - 1);
      const named = index === 0 || !own ? {} : { file_id: own.id, name: own.name };
      const base = { project_id, document_id, revision, kind: 'final' as const, position: index + 1, ...named, ...rendition };
      await tx.insert(Rendition, { ...base, ...(await this.files.keep(tx, Rendition, 'pdf', rendition.pdf)) });
    }
    return { number, content_sha256: contentHash(renditions.map(({ sha256 }) => sha256)), finalized_at };
  }

  private async frozen(
    ctx: Ctx,
    file: NewFile,
    content: DocumentContent,
    watermark?: Watermark,
  ): Promise<RenderedDocument & { pdf: Buffer }> {
    const html = renderFileHtml(content, filledTexts(file, content), watermark);
    return { pdf: await this.filled.final(ctx, file, content), html, fields: [] };
  }
}

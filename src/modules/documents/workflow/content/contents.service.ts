import { Injectable } from '@nestjs/common';
import { CommonErrors, own, Projects, sql, Store, table, type Ctx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { contentOf } from '../../engine/content/content-of.js';
import { contentTokens } from '../../engine/content/document-content.js';
import { Images } from '../images/images.service.js';
import { FilledFiles, filledTexts } from './filled-files.service.js';
import { Letterheads } from './letterheads.service.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import type { Watermark } from '../../engine/content/printed-words.js';
import { renderFileHtml, renderHtml } from '../../engine/content/render-html.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import type { EarlierSignature, PlacedField } from '../../model/core/placed-fields.js';
import { Rendition } from '../../model/records/rendition.entity.js';
import type { PdfSource } from '../../engine/pictures/page-pictures.service.js';

/** The readable form of a document: the frozen bytes if it is finalized, otherwise a draft rendered on demand. */
@Injectable()
export class Contents {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly versions: TypeVersions,
    private readonly letterheads: Letterheads,
    private readonly typesetter: PdfTypesetter,
    private readonly filled: FilledFiles,
    private readonly images: Images,
  ) {}

  /** Of an earlier revision, the sealed page; a revision without one is an error. */
  async html(ctx: Ctx, document: Document, revision = document.revision): Promise<string> {
    const frozen = await this.frozen(ctx, document, revision);
    if (frozen) return frozen.html;
    const { content } = await this.draft(ctx, document);
    const [file] = await this.store.list(ctx, DocumentFile, { document_id: document.id });
    return file ? renderFileHtml(content, filledTexts(file, content), watermarkOf(document)) : renderHtml(content, watermarkOf(document));
  }

  async pdf(ctx: Ctx, document: Document, revision = document.revision): Promise<Buffer> {
    const frozen = await this.frozen(ctx, document, revision);
    if (frozen) return frozen.pdf;
    const [file] = await this.store.list(ctx, DocumentFile, { document_id: document.id });
    const { content, subject } = await this.draft(ctx, document);
    if (file) return this.filled.draft(file, content);
    // Check the length here: an error from the worker thread would lose the name of the field.
    contentTokens(content);
    const letterhead = await this.letterheads.of(ctx);
    return this.typesetter.pdf({ content, subject, created_at: document.updated_at, watermark: watermarkOf(document), letterhead });
  }

  /** Of the file that the document consists of, if it is one. */
  async earlierSignatures(ctx: Ctx, document: Document): Promise<readonly EarlierSignature[]> {
    const [file] = (await this.store.list(ctx, DocumentFile, { document_id: document.id })) as (DocumentFile | undefined)[];
    return file?.earlier_signatures ?? [];
  }

  /** Where the parties sign and fill something in. */
  async fields(ctx: Ctx, document: Document, revision = document.revision): Promise<readonly PlacedField[]> {
    // without the PDF beside them
    const [row] = await this.store.reader(ctx).sql<{ fields: PlacedField[] }>(sql`
      SELECT coalesce(f.fields, r.fields) AS fields
      FROM ${table(Rendition)} r LEFT JOIN ${table(DocumentFile)} f ON f.document_id = r.document_id AND ${own('f')}
      WHERE ${own('r')} AND r.document_id = ${document.id} AND r.revision = ${revision} AND r.kind = 'final'`);
    return (row as { fields: PlacedField[] } | undefined)?.fields ?? [];
  }

  /** The PDF for those who draw its pages. A change of the document makes a version of a draft; frozen bytes stay as they are. */
  source(ctx: Ctx, document: Document, revision = document.revision): PdfSource {
    return { key: `${document.id}:${revision}:${fileOf(document, revision)}`, load: () => this.pdf(ctx, document, revision) };
  }

  /** The executed rendition of a revision, or else the final one. Null for the current revision before it is finalized. */
  private async frozen(ctx: Ctx, document: Document, revision: number): Promise<Rendition | null> {
    if (document.erased_at !== null) throw DocumentErrors.contentErased();
    if (revision === document.revision && document.finalized_at === null) return null;
    const renditions = await this.store.list(ctx, Rendition, { document_id: document.id, revision });
    const frozen = renditions.find(({ kind }) => kind === 'executed') ?? renditions[0];
    if (frozen || revision === document.revision) return frozen ?? null;
    const sealed = (await this.store.list(ctx, Rendition, { document_id: document.id })).map((one) => one.revision);
    const allowed = [...new Set([...sealed, document.revision])].sort((one, other) => one - other).map(String);
    throw CommonErrors.validationFailed({
      param: 'revision',
      allowed,
      message: `revision must be the current revision or one that was finalized: ${allowed.join(', ')}`,
    });
  }

  /** Whether all parties signed this revision: they keep access to its sealed file, even if the document is revoked or superseded. */
  async isSealed(ctx: Ctx, { id, revision: current, executed_at }: Document, revision: number): Promise<boolean> {
    if (revision === current) return executed_at !== null;
    return (await this.store.list(ctx, Rendition, { document_id: id, revision, kind: 'executed' })).length > 0;
  }

  private async draft(ctx: Ctx, document: Document) {
    const type = await this.versions.get(ctx, document.type_id, document.type_version);
    const { timezone } = await this.projects.get(ctx, document.project_id);
    return { content: await this.images.within(ctx, document, contentOf(document, type, timezone)), subject: type.name };
  }
}

/** Which of the files that a revision has in the course of time. */
function fileOf({ revision: current, version, finalized_at, executed_at }: Document, revision: number): string {
  if (revision !== current) return 'earlier';
  if (executed_at !== null) return 'executed';
  return finalized_at === null ? `draft ${version}` : 'final';
}

function watermarkOf({ mode }: Document): Watermark {
  return mode === 'test' ? 'TEST DRAFT' : 'DRAFT';
}

import { Injectable } from '@nestjs/common';
import { CommonErrors, Files, own, Projects, sql, Store, table, type Ctx } from '../../../../kit/index.js';
import type { Document, FurtherFile } from '../../model/records/document.entity.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { contentTokens } from '../../engine/content/document-content.js';
import { PrintedContents } from './printed-contents.service.js';
import { FilledFiles, filledTexts } from './filled-files.service.js';
import { Letterheads } from './letterheads.service.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import type { Watermark } from '../../engine/content/printed-words.js';
import { joinedHtml, renderFileHtml, renderHtml } from '../../engine/content/render-html.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import type { EarlierSignature, FieldInFile, PlacedField } from '../../model/core/placed-fields.js';
import { Rendition } from '../../model/records/rendition.entity.js';
import type { PdfSource } from '../../engine/pictures/page-pictures.service.js';

/** One of the files of a document. */
export interface DocumentPart {
  position: number;
  /** Of the document for its own content; null for the certificate of the signatures. */
  file_id: string | null;
  name: string;
}

/** The readable form of a document: the frozen bytes if it is finalized, otherwise a draft rendered on demand. */
@Injectable()
export class Contents {
  constructor(
    private readonly store: Store,
    private readonly files: Files,
    private readonly projects: Projects,
    private readonly versions: TypeVersions,
    private readonly letterheads: Letterheads,
    private readonly typesetter: PdfTypesetter,
    private readonly filled: FilledFiles,
    private readonly printed: PrintedContents,
  ) {}

  /** The files of a revision in their order, with the certificate of the signatures if that is one of them. */
  async parts(ctx: Ctx, document: Document, revision = document.revision): Promise<DocumentPart[]> {
    const isDraft = revision === document.revision && document.finalized_at === null;
    const { id, title, files } = document;
    if (isDraft || (revision === document.revision && files.length === 0))
      return [
        { position: 1, file_id: id, name: title },
        ...files.map((file, at) => ({ position: at + 2, file_id: file.id, name: file.name })),
      ];
    const rows = await this.store.reader(ctx).sql<Pick<Rendition, 'position' | 'kind' | 'file_id' | 'name'>>(sql`
      SELECT r.position, r.kind, r.file_id, r.name FROM ${table(Rendition)} r
      WHERE ${own('r')} AND r.document_id = ${id} AND r.revision = ${revision} ORDER BY r.position`);
    const isExecuted = rows.some(({ kind }) => kind === 'executed');
    return rows
      .filter(({ kind }) => (kind === 'final') !== isExecuted)
      .map(({ position, kind, file_id, name }) => ({
        position,
        file_id: kind === 'certificate' ? null : (file_id ?? id),
        name: name ?? title,
      }));
  }

  /** Of all files, or of one. Of an earlier revision, the sealed page; a revision without one is an error. */
  async html(ctx: Ctx, document: Document, revision = document.revision, position?: number): Promise<string> {
    if (position !== undefined) return this.htmlOf(ctx, document, revision, position);
    const [first, ...others] = await this.parts(ctx, document, revision);
    const html = await this.htmlOf(ctx, document, revision, 1);
    if ((first as DocumentPart | undefined) === undefined || others.length === 0) return html;
    const texts = [];
    for (const part of others)
      if (part.file_id !== null) texts.push({ ...part, html: await this.htmlOf(ctx, document, revision, part.position) });
    return joinedHtml(html, texts);
  }

  private async htmlOf(ctx: Ctx, document: Document, revision: number, position: number): Promise<string> {
    const frozen = await this.frozen(ctx, document, revision, position);
    if (frozen) return frozen.html;
    const { planned } = await this.draft(ctx, document);
    const file = await this.fileAt(ctx, document, position);
    if (file) return renderFileHtml(planned.content, filledTexts(file, planned.content), watermarkOf(document));
    return renderHtml(await this.printed.drawn(ctx, planned), watermarkOf(document));
  }

  async pdf(ctx: Ctx, document: Document, revision = document.revision, position = 1): Promise<Buffer> {
    const frozen = await this.frozen(ctx, document, revision, position);
    if (frozen) return this.files.read(ctx, frozen, 'pdf');
    const file = await this.fileAt(ctx, document, position);
    const { planned, subject } = await this.draft(ctx, document);
    if (file) return this.filled.draft(ctx, file, planned.content);
    // Check the length here: an error from the worker thread would lose the name of the field.
    contentTokens(planned.content);
    const letterhead = await this.letterheads.drawn(ctx, await this.letterheads.row(ctx));
    const content = await this.printed.drawn(ctx, planned);
    return this.typesetter.pdf({ content, subject, created_at: document.updated_at, watermark: watermarkOf(document), letterhead });
  }

  /** All files as one PDF to read and print. Their seals do not cover it. */
  async joined(
    ctx: Ctx,
    document: Document,
    revision = document.revision,
    pdfAt = (position: number) => this.pdf(ctx, document, revision, position),
  ): Promise<Buffer> {
    const files = [];
    for (const { position } of await this.parts(ctx, document, revision)) files.push(await pdfAt(position));
    return files.length > 1 ? this.typesetter.joined(files) : (files.at(0) ?? pdfAt(1));
  }

  /** Null for the text of the type. */
  private async fileAt(ctx: Ctx, document: Document, position: number): Promise<DocumentFile | null> {
    const further = position === 1 ? null : (document.files.at(position - 2) as FurtherFile | undefined);
    if (further === undefined) throw noFile();
    const which = further === null ? { is_main: true } : { id: further.id };
    const [file] = (await this.store.list(ctx, DocumentFile, { document_id: document.id, ...which })) as (DocumentFile | undefined)[];
    return file ?? null;
  }

  /** That the files of the document already had, with the position of each file. */
  async earlierSignatures(ctx: Ctx, document: Document): Promise<{ position: number; signatures: EarlierSignature[] }[]> {
    const rows = await this.store.reader(ctx).sql<Pick<DocumentFile, 'id' | 'is_main' | 'earlier_signatures'>>(sql`
      SELECT f.id, f.is_main, f.earlier_signatures FROM ${table(DocumentFile)} f
      WHERE ${own('f')} AND f.document_id = ${document.id} AND f.removed_at IS NULL AND f.earlier_signatures <> '[]'`);
    return rows
      .map(({ id, is_main, earlier_signatures: signatures }) => ({
        position: is_main ? 1 : document.files.findIndex((file) => file.id === id) + 2,
        signatures,
      }))
      .sort((one, other) => one.position - other.position);
  }

  /** Where the parties sign and fill something in. */
  async fields(ctx: Ctx, document: Document, revision = document.revision): Promise<readonly FieldInFile[]> {
    // without the PDFs beside them
    const rows = await this.store.reader(ctx).sql<{ position: number; fields: PlacedField[] }>(sql`
      SELECT r.position, coalesce(f.fields, r.fields) AS fields
      FROM ${table(Rendition)} r LEFT JOIN ${table(DocumentFile)} f
        ON f.document_id = r.document_id AND f.is_main AND r.position = 1 AND ${own('f')}
      WHERE ${own('r')} AND r.document_id = ${document.id} AND r.revision = ${revision} AND r.kind = 'final' ORDER BY r.position`);
    return rows.flatMap(({ position, fields }) => fields.map((field) => ({ ...field, position })));
  }

  /** The PDF for those who draw its pages. A change of the document makes a version of a draft; frozen bytes stay as they are. */
  source(ctx: Ctx, document: Document, revision = document.revision, position = 1): PdfSource {
    return {
      key: `${document.id}:${revision}:${position}:${fileOf(document, revision)}`,
      load: () => this.pdf(ctx, document, revision, position),
    };
  }

  /** The executed file of a revision, or else the final one. Null for the current revision before it is finalized. */
  private async frozen(ctx: Ctx, document: Document, revision: number, position: number): Promise<Rendition | null> {
    if (document.erased_at !== null) throw DocumentErrors.contentErased();
    if (revision === document.revision && document.finalized_at === null) return null;
    const renditions = await this.store.list(ctx, Rendition, { document_id: document.id, revision, position });
    const frozen = renditions.find(({ kind }) => kind !== 'final') ?? renditions[0];
    if (frozen) return frozen;
    const kept = (await this.store.list(ctx, Rendition, { document_id: document.id, position: 1 })).map((one) => one.revision);
    if (kept.includes(revision)) throw noFile();
    if (revision === document.revision) return null;
    const allowed = [...new Set([...kept, document.revision])].sort((one, other) => one - other).map(String);
    throw CommonErrors.validationFailed({
      param: 'revision',
      allowed,
      message: `revision must be the current revision or one that was finalized: ${allowed.join(', ')}`,
    });
  }

  /** Whether all parties signed this revision: they keep access to its sealed file, even if the document is revoked or superseded. */
  async isSealed(ctx: Ctx, { id, revision: current, executed_at }: Document, revision: number): Promise<boolean> {
    if (revision === current) return executed_at !== null;
    return (await this.store.list(ctx, Rendition, { document_id: id, revision, kind: 'executed', position: 1 })).length > 0;
  }

  private async draft(ctx: Ctx, document: Document) {
    const type = await this.versions.get(ctx, document.type_id, document.type_version);
    const { timezone } = await this.projects.get(ctx, document.project_id);
    return { planned: await this.printed.planned(ctx, document, type, timezone), subject: type.name };
  }
}

/** Which of the files that a revision has in the course of time. */
function fileOf({ revision: current, version, finalized_at, executed_at }: Document, revision: number): string {
  if (revision !== current) return 'earlier';
  if (executed_at !== null) return 'executed';
  return finalized_at === null ? `draft ${version}` : 'final';
}

function noFile(): Error {
  return CommonErrors.notFound({ message: 'The document has no such file.' });
}

function watermarkOf({ mode }: Document): Watermark {
  return mode === 'test' ? 'TEST DRAFT' : 'DRAFT';
}

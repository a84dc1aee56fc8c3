import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Ctx } from '../../../../kit/index.js';
import { executedHtml } from '../../engine/content/executed-html.js';
import { PagePictures, type PdfSource } from '../../engine/pictures/page-pictures.service.js';
import { FileFault } from '../../engine/reading/file-fault.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import type { Document } from '../../model/records/document.entity.js';
import { SignatureParty, signersOf } from '../../model/records/signature-party.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import type { Look } from '../../settings/document-looks.service.js';
import { Contents } from './contents.service.js';
import { fileNameOf } from './file-names.js';
import type { ShownFile } from '../../pages/document-pages.js';
import { shownFiles } from './shown-files.js';
import { pageSigners, stampsOf, type Printing } from './party-stamps.js';

interface Subject {
  document: Document;
  look: Look;
  /** Of the document; the current one by default. */
  revision?: number;
  /** Of the file; of its own content by default. */
  position?: number;
}

/** A document as its readers see it: until it is sealed, with what those who have signed so far left on the frozen pages. */
@Injectable()
export class ShownContents {
  constructor(
    private readonly store: Store,
    private readonly contents: Contents,
    private readonly versions: TypeVersions,
    private readonly typesetter: PdfTypesetter,
    private readonly pictures: PagePictures,
  ) {}

  async pdf(ctx: Ctx, subject: Subject): Promise<Buffer> {
    const { document, revision = document.revision, position = 1 } = subject;
    const pdf = await this.contents.pdf(ctx, document, revision, position);
    const { signers, printing } = await this.unsealed(ctx, subject);
    if (signers.length === 0) return pdf;
    const stamps = stampsOf(await this.contents.fields(ctx, document, revision), signers, printing, position);
    if (stamps.length === 0) return pdf;
    try {
      return await this.typesetter.stamp({ pdf, stamps, language: printing.language });
    } catch (error) {
      // a file that cannot be changed cannot be sealed, which is reported when it is signed
      if (error instanceof FileFault) return pdf;
      throw error;
    }
  }

  async html(ctx: Ctx, subject: Subject): Promise<string> {
    const { document, revision = document.revision } = subject;
    const html = await this.contents.html(ctx, document, revision);
    const { signers, printing } = await this.unsealed(ctx, subject);
    if (signers.length === 0) return html;
    return executedHtml(html, pageSigners(await this.contents.fields(ctx, document, revision), signers, printing));
  }

  /** A file to save: by its position, the own content by default; or `all`, as one PDF to read and print. */
  async download(ctx: Ctx, subject: Subject, part = '1'): Promise<{ filename: string; pdf: Buffer }> {
    const { document, revision } = subject;
    if (part === 'all') {
      const pdfAt = (position: number) => this.pdf(ctx, { ...subject, position });
      return { filename: fileNameOf(document, 'all'), pdf: await this.contents.joined(ctx, document, revision, pdfAt) };
    }
    const found = (await this.contents.parts(ctx, document, revision)).find(({ position }) => String(position) === part);
    if (!found && part !== '1') throw CommonErrors.notFound({ message: 'The document has no such file.' });
    const { position, name } = found ?? { position: 1, name: '' };
    return { filename: fileNameOf(document, { position, name }), pdf: await this.pdf(ctx, { ...subject, position }) };
  }

  /** The files in their order, with the pages that a reader sees. */
  async files(ctx: Ctx, subject: Subject): Promise<ShownFile[]> {
    const parts = await this.contents.parts(ctx, subject.document, subject.revision);
    return shownFiles(parts, this.pictures, (position) => this.source(ctx, { ...subject, position }));
  }

  /** The PDF for those who draw its pages. A change of the document, such as a signature, makes a version of it. */
  source(ctx: Ctx, subject: Subject): PdfSource {
    const { document, revision = document.revision, position = 1 } = subject;
    return { key: `${document.id}:${document.version}:${revision}:${position}`, load: () => this.pdf(ctx, subject) };
  }

  /** Those who have signed a revision that is not sealed. */
  private async unsealed(ctx: Ctx, { document, look, revision = document.revision }: Subject) {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const printing: Printing = { language: definition.language ?? look.language, timeZone: look.timeZone, texts: look.texts };
    if (await this.contents.isSealed(ctx, document, revision)) return { signers: [], printing };
    return { signers: signersOf(await this.store.list(ctx, SignatureParty, { document_id: document.id, revision })), printing };
  }
}

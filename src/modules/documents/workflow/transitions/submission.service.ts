import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Projects, Store, type Ctx, type Tx } from '../../../../kit/index.js';
import { DocumentComments } from '../authoring/document-comments.service.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { Document } from '../../model/records/document.entity.js';
import type { SubmitDocumentDto } from '../../views/documents.dto.js';
import type { DocumentContent } from '../../engine/content/document-content.js';
import { requirePrintable } from '../../engine/pdf/printable-content.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { Approvals } from '../approvals/approvals.service.js';
import { requireComplete } from '../../model/core/data-values.js';
import { requireDays } from '../../model/rules/value-days.js';
import { FilledFiles } from '../content/filled-files.service.js';
import { PrintedContents } from '../content/printed-contents.service.js';
import { DocumentMoves } from '../moves/document-moves.js';

/** Submits a document to its approvers; a document that requires no approval is approved at once. */
@Injectable()
export class Submission {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly versions: TypeVersions,
    private readonly moves: DocumentMoves,
    private readonly approvals: Approvals,
    private readonly comments: DocumentComments,
    private readonly filled: FilledFiles,
    private readonly printed: PrintedContents,
  ) {}

  submit(ctx: Ctx, id: string, { comment }: SubmitDocumentDto): Promise<Document> {
    return this.store.write(ctx, async (tx) => this.submitIn(ctx, tx, await tx.target(Document, id), comment ?? null));
  }

  /** The transaction must have locked the document. */
  async submitIn(ctx: Ctx, tx: Tx, document: Document, comment: string | null): Promise<Document> {
    const type = await this.versions.get(ctx, document.type_id, document.type_version);
    const { definition } = type;
    const to = definition.requires_approval ? 'in_approval' : 'approved';
    const allowed = await this.moves.check(ctx, document, 'submit', to);
    requireComplete(document);
    requireDays(definition, document.data_values, (await this.projects.get(ctx, document.project_id)).timezone);
    // the time zone affects only dates, which are always printable
    const { content } = await this.printed.planned(ctx, document, type, 'UTC');
    await requirePrintable(tx, content, definition);
    if (type.file || type.files.length > 0) await this.requireReadable(ctx, tx, document, content);
    const changes = definition.requires_approval
      ? await this.approvals.begin(ctx, tx, document, definition, comment)
      : { submitted_by: ctx.memberId };
    const submitted = await this.moves.move(ctx, tx, document, 'submit', to, { allowed, changes });
    if (comment !== null) await this.comments.add(ctx, tx, submitted, 'submit', comment);
    return submitted;
  }

  /** Whether the values of the document fit into their places on its files: approvers should not decide in vain. */
  private async requireReadable(ctx: Ctx, tx: Tx, { id }: Document, content: DocumentContent): Promise<void> {
    for (const file of await tx.list(DocumentFile, { document_id: id, removed_at: null })) {
      if (file.values.length === 0) continue;
      const key = `readable ${file.sha256} ${hash('sha256', JSON.stringify([content.values, content.language, file.values]))}`;
      await tx.advanced.prepared(key, () => this.filled.requireReadable(ctx, file, content));
    }
  }
}

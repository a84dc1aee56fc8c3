import { Injectable } from '@nestjs/common';
import { Store, type Ctx, type Page, type Tx } from '../../../../kit/index.js';
import { DocumentEvents } from '../../views/documents.events.js';
import { DocumentComment, type CommentKind } from '../../model/records/document-comment.entity.js';
import { DocumentCommentDto, type CreateDocumentCommentDto, type DocumentCommentsQuery } from './document-comments.dto.js';
import { DocumentViews } from '../../views/document-views.js';
import { Document } from '../../model/records/document.entity.js';

@Injectable()
export class DocumentComments {
  constructor(
    private readonly store: Store,
    private readonly views: DocumentViews,
  ) {}

  async page(ctx: Ctx, documentId: string, query: DocumentCommentsQuery): Promise<Page<DocumentComment>> {
    await this.store.get(ctx, Document, documentId);
    return this.store.page(ctx, DocumentComment, query, { document_id: documentId });
  }

  create(ctx: Ctx, documentId: string, { body }: CreateDocumentCommentDto): Promise<DocumentComment> {
    return this.store.write(ctx, async (tx) => this.add(ctx, tx, await tx.get(Document, documentId), 'user', body));
  }

  /** `person` is the member on whose behalf a key acts. */
  async add(
    ctx: Ctx,
    tx: Tx,
    document: Document,
    kind: CommentKind,
    body: string,
    person: { id: string; email: string } | null = null,
  ): Promise<DocumentComment> {
    const isOwn = person === null || (ctx.actor.type === 'user' && ctx.actor.id === person.id);
    const comment = await tx.insert(DocumentComment, {
      project_id: document.project_id,
      document_id: document.id,
      kind,
      body,
      author: isOwn ? ctx.actor : { type: 'user', id: person.id, email: person.email },
      actor: isOwn ? null : ctx.actor,
    });
    tx.emit(DocumentEvents.commentAdded, {
      object: await this.views.of(ctx, document),
      context: { comment: DocumentCommentDto.from(comment) },
      projectId: document.project_id,
    });
    return comment;
  }
}

import { ActorDto, ActorField, bothOf, Field, Listing, ListQuery, DatedResourceDto, responseOf, shownOf } from '../../../../kit/index.js';
import { COMMENT_KINDS, type CommentKind, type DocumentComment } from '../../model/records/document-comment.entity.js';

/** The body that adds a comment. */
export class CreateDocumentCommentDto {
  @Field.string({
    summary: true,
    description: 'Text of the comment.',
    example: 'Clause 4 needs the new price.',
    maxLength: 10_000,
  })
  body: string;
}

/** A comment on a document. */
export class DocumentCommentDto extends bothOf(DatedResourceDto, shownOf(CreateDocumentCommentDto, { body: true })) {
  @Field.constant('document_comment')
  object: string;

  @Field.uuid({
    description: 'The document.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
  })
  document_id: string;

  @Field.oneOf(COMMENT_KINDS, {
    summary: true,
    description: 'user: written by itself; submit: with a submission; decision: with a decision or another move; system: by the suite.',
    example: 'user',
  })
  kind: CommentKind;

  @ActorField('Who wrote it; of a decision, the member who decided.', { summary: true })
  author: ActorDto;

  @ActorField('The member or key that made the request.')
  actor: ActorDto;

  static from(this: void, comment: DocumentComment): DocumentCommentDto {
    return { ...responseOf(DocumentCommentDto, comment), actor: comment.actor ?? comment.author };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class DocumentCommentsQuery extends ListQuery {}

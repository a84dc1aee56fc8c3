import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, type Actor } from '../../../../kit/index.js';
import { Document } from './document.entity.js';

export const COMMENT_KINDS = ['user', 'submit', 'decision', 'system'] as const;
export type CommentKind = (typeof COMMENT_KINDS)[number];

/** A comment on a document. Comments never change. */
@Entity('document_comments')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_comments_document_id_fkey',
  onDelete: 'CASCADE',
})
@Index('document_comments_document_id_idx', ['document_id', 'created_at', 'id'])
@Check('document_comments_mode_check', `mode IN ('live', 'test')`)
@Check('document_comments_kind_check', `kind IN ('user', 'submit', 'decision', 'system')`)
@Check('document_comments_body_check', 'length(body) BETWEEN 1 AND 10000')
export class DocumentComment extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('text')
  kind: CommentKind;

  @Column('text')
  body: string;

  /** The person: for a decision through a key, the member it was made for. */
  @Column('jsonb')
  author: Actor;

  /** Who made the request, if not the author. */
  @Column('jsonb', { nullable: true })
  actor: Actor | null;
}

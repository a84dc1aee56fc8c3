import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import {
  BusinessEntity,
  CustomFields,
  TimeColumn,
  type Actor,
  type CustomFieldValues,
  type ReadDocumentToken,
} from '../../../../kit/index.js';
import { DocumentTypeVersion } from '../types/document-type-version.entity.js';
import type { CopyTime } from '../core/copy-times.js';
import { SHOWN_COLUMNS, type RequestValues } from './shown-request.js';
import { DOCUMENT_STATES, type DocumentState } from '../core/document-states.js';

export const APPROVAL_OUTCOMES = ['not_required', 'pending', 'approved', 'rejected', 'returned'] as const;
export type ApprovalOutcome = (typeof APPROVAL_OUTCOMES)[number];

/** A reference to the caller's own system, returned as it was sent. */
export type SourceRef = string | Record<string, unknown>;

/** How a document is sent to its parties, where it differs from its type and the settings of the organization. */
export interface Sending {
  cc?: { name: string; email: string; when: CopyTime }[];
  /** Of the invitation; reminders put a word before it. */
  subject?: string | null;
  message?: string | null;
  sender_name?: string | null;
  /** A calendar day of the project, included. */
  sign_by?: string | null;
  warn_days?: number | null;
  remind_after_days?: number | null;
  remind_every_days?: number | null;
  /** The address of the member who sent it: replies of the parties go there. */
  reply_to?: string;
}

/** As a caller gave it; null for nothing. */
export function givenSending(sending: Sending | null): Omit<Sending, 'reply_to'> | null {
  const { reply_to: _, ...given } = sending ?? {};
  return Object.keys(given).length > 0 ? given : null;
}

/** A file that is signed with a document, besides its own content. */
export interface FurtherFile {
  /** Of the DocumentFile. */
  id: string;
  name: string;
  pages: number;
  /** As it was uploaded. */
  bytes: number;
  sha256: string;
}

/** A finalized document that a caller has sent, but no mail server has accepted a signature request yet. */
export interface SendRequest {
  /** `failed`: the mail server rejected all requests. The document can be sent again. */
  status: 'sending' | 'failed';
  /** Who sent it, and how: the move to `sent` is made later. */
  actor: Actor;
  member_id: string | null;
  acted_for: { id: string; email: string } | null;
  lifecycle_action: string | null;
}

/** A document. Only `DocumentMoves` writes `state` and `lifecycle_stage`. */
@Entity('documents')
@Unique('documents_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'documents_project_id_fkey' })
@ForeignKey(() => DocumentTypeVersion, ['organization_id', 'type_id', 'type_version'], ['organization_id', 'type_id', 'number'], {
  name: 'documents_type_version_fkey',
})
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'supersedes_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'documents_supersedes_id_fkey',
})
@Index('documents_number_key', ['organization_id', 'mode', 'type_id', 'number'], {
  unique: true,
  where: 'number IS NOT NULL AND NOT number_repeated',
})
@Index('documents_number_idx', ['organization_id', 'mode', 'number'], { where: 'number IS NOT NULL' })
@Index('documents_created_at_idx', ['organization_id', 'mode', 'created_at', 'id'])
@Index('documents_project_created_at_idx', ['organization_id', 'mode', 'project_id', 'created_at', 'id'])
@Index('documents_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('documents_state_idx', ['organization_id', 'mode', 'state', 'created_at', 'id'])
@Index('documents_type_code_idx', ['organization_id', 'mode', 'type_code', 'created_at', 'id'])
@Index('documents_project_state_idx', ['organization_id', 'mode', 'project_id', 'state', 'created_at', 'id'])
@Index('documents_project_type_code_idx', ['organization_id', 'mode', 'project_id', 'type_code', 'created_at', 'id'])
@Index('documents_source_ref_idx', { synchronize: false })
@Index('documents_signing_deadline_at_idx', ['signing_deadline_at'], { where: `state IN ('sent', 'partially_signed')` })
@Index('documents_ended_at_idx', ['ended_at'], { where: 'erased_at IS NULL AND ended_at IS NOT NULL' })
@Index('documents_valid_until_on_idx', ['valid_until_on'], { where: `state = 'executed'` })
@Index('documents_supersedes_id_idx', ['supersedes_id'], { where: 'supersedes_id IS NOT NULL' })
@Index('documents_search_idx', { synchronize: false })
@Check('documents_mode_check', `mode IN ('live', 'test')`)
@Check('documents_title_check', 'length(title) BETWEEN 1 AND 255')
@Check('documents_state_check', `state IN (${DOCUMENT_STATES.map((state) => `'${state}'`).join(', ')})`)
@Check('documents_approval_outcome_check', `approval_outcome IN ('not_required', 'pending', 'approved', 'rejected', 'returned')`)
@Check('documents_data_values_check', `jsonb_typeof(data_values) = 'object'`)
@Check('documents_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('documents_token_values_check', `jsonb_typeof(token_values) = 'object'`)
export class Document extends BusinessEntity {
  @Column('uuid')
  type_id: string;

  @Column('text')
  type_code: string;

  /** The version of the type at creation. It never changes. */
  @Column('integer')
  type_version: number;

  /** Null until the type's numbering assigns one. */
  @Column('text', { nullable: true })
  number: string | null;

  /** An older document of the type has the same printed number, from when each project had its own series. New ones never repeat. */
  @Column('boolean', { default: false })
  number_repeated: boolean;

  @Column('text')
  title: string;

  @Column('text')
  state: DocumentState;

  @Column('text')
  lifecycle_stage: string;

  @Column('jsonb')
  data_values: Record<string, unknown>;

  @CustomFields('document')
  custom_fields: CustomFieldValues;

  /** Of the tokens of modules that the template has, as they were read when the document was created or edited. */
  @Column('jsonb', { default: '{}' })
  token_values: Record<string, ReadDocumentToken>;

  /** Paths that need a value before the document can be submitted or finalized. */
  @Column('text', {
    array: true,
    default: '{}',
  })
  missing_required_fields: string[];

  @Column('jsonb', { nullable: true })
  source_ref: SourceRef | null;

  @Column('text')
  approval_outcome: ApprovalOutcome;

  /** The requests of the current submission by step, null for none. Only reads of the store have them, not rows that a change locked. */
  @VirtualColumn({
    type: 'json',
    query: shownRequestsOf,
  })
  readonly shown_requests?: RequestValues[] | null;

  /** Number of submissions. The approval requests of the current one have it as `round`. */
  @Column('integer', { default: 0 })
  approval_round: number;

  /** Index of the step in approval, or null. */
  @Column('integer', { nullable: true })
  approval_step: number | null;

  /**
   * The member who last submitted it, or its author if a key without a member did: the four-eyes rule excludes them. Null if both
   * are unknown.
   */
  @Column('uuid', { nullable: true })
  submitted_by: string | null;

  @Column('jsonb', { nullable: true })
  sending: Sending | null;

  /** In their order, after its own content. */
  @Column('jsonb', { default: '[]' })
  files: FurtherFile[];

  /** When it came to an end from which its type's retention counts; null while it is under way or in force. */
  @TimeColumn({ nullable: true })
  ended_at: Date | null;

  /** When its contents were erased. */
  @TimeColumn({ nullable: true })
  erased_at: Date | null;

  /** Why its contents must not be erased. */
  @Column('text', { nullable: true })
  legal_hold: string | null;

  @TimeColumn({ nullable: true })
  signing_deadline_at: Date | null;

  /** Set by `send` until the mail server has accepted a signature request, which moves the document to `sent`. Any move clears it. */
  @Column('jsonb', { nullable: true })
  send_request: SendRequest | null;

  /** Hexadecimal SHA-256 of the frozen PDF. */
  @Column('text', { nullable: true })
  content_sha256: string | null;

  @Column('date', { nullable: true })
  valid_until_on: string | null;

  /** Why it expired: `signing_deadline` or `validity_end`. */
  @Column('text', { nullable: true })
  expired_reason: string | null;

  /** The document that this one replaces. */
  @Column('uuid', { nullable: true })
  supersedes_id: string | null;

  @Column('uuid', { nullable: true })
  superseded_by_id: string | null;

  /** Starts at 1 and increases each time the document is reopened. */
  @Column('integer', { default: 1 })
  revision: number;

  @Column('jsonb')
  created_by: Actor;

  @TimeColumn({ nullable: true })
  finalized_at: Date | null;

  @TimeColumn({ nullable: true })
  executed_at: Date | null;

  /** Words of the title and the number, written by a database trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}

/**
 * SQL for the requests of a document's current submission by step, as JSON of `RequestValues[]`; null if there are none. `document` is
 * the table's alias.
 */
function shownRequestsOf(document: string): string {
  return `CASE WHEN ${document}.approval_round > 0 THEN (
    SELECT json_agg(shown) FROM (
      SELECT json_build_array(${SHOWN_COLUMNS.join(', ')}) AS shown
      FROM approval_requests WHERE document_id = ${document}.id AND round = ${document}.approval_round ORDER BY step_index, id
    ) requests
  ) END`;
}

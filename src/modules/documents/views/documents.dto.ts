import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  field,
  Filter,
  Listing,
  ProjectListQuery,
  DatedResourceDto,
  shownOf,
  type CustomFieldValues,
} from '../../../kit/index.js';
import { DOCUMENT_STATES, type DocumentState } from '../model/core/document-states.js';
import { DocumentApprovalDto, DocumentSignatureDto, DocumentTypeRefDto } from './document-parts.dto.js';
import { FurtherFileDto } from '../model/types/further-file.dto.js';
import type { SourceRef } from '../model/records/document.entity.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const DOCUMENT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20';

/** The body that creates a document. */
export class CreateDocumentDto {
  @Field.string({
    description: 'Code of a published type, from list_document_types.',
    example: 'customer_agreement',
    maxLength: 63,
  })
  type_code: string;

  @Field.string({
    summary: true,
    description: 'Title.',
    example: 'Agreement with Acme',
  })
  title: string;

  @Field.map({
    description: 'By field_schema of the type. Drafts may lack required ones.',
    example: { customer_name: 'Acme GmbH' },
    required: false,
    default: {},
  })
  data_values?: Record<string, unknown>;

  @field({
    kind: 'text_or_map',
    description: 'Your reference: a text, or {"type", "id"}.',
    example: 'order-4711',
    maxLength: 255,
    maxProperties: 50,
    required: false,
    nullable: true,
  })
  source_ref?: SourceRef | null;

  @Field.map({
    description:
      'Sending: cc ({name, email, when: sent or completed}), subject, message, sender_name, sign_by, warn_days, ' +
      'remind_after_days, remind_every_days.',
    example: { message: 'Thank you for the good conversation.', sign_by: '2026-12-20' },
    maxProperties: 8,
    required: false,
    nullable: true,
  })
  sending?: Record<string, unknown> | null;

  @Field.customFields('document')
  custom_fields?: CustomFieldValues;

  @Field.uuid({
    description: "Default: the key's or the default one.",
    example: PROJECT,
    required: false,
  })
  project_id?: string;

  @Field.string({
    description: "A PDF that is signed instead of the type's text.",
    example: 'https://files.example.com/lease.pdf',
    maxLength: 2_000,
    required: false,
  })
  file_url?: string;

  @Field.string({
    description: 'In Base64, up to 700 KB.',
    example: 'JVBERi0xLjcK',
    maxLength: 1_000_000,
    required: false,
  })
  file_base64?: string;
}

/** A document. */
export class DocumentDto extends bothOf(
  DatedResourceDto,
  shownOf(CreateDocumentDto, {
    title: true,
    project_id: 'Project of the document.',
    data_values: "Values by the keys of the type's field_schema.",
    source_ref: "The caller's own reference, as sent.",
    sending: 'How it is sent.',
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('document')
  object: string;

  @Field.string({
    summary: true,
    description: "Number; null until the type's numbering assigns one.",
    example: 'AGR-2026-00042',
    nullable: true,
  })
  number: string | null;

  @Field.object(() => DocumentTypeRefDto, {
    summary: 'if_short',
    description: 'The type, in the version that the document was created with.',
    example: undefined,
  })
  type: DocumentTypeRefDto;

  @Field.oneOf(DOCUMENT_STATES, {
    summary: true,
    description: 'State; rules and events depend on it.',
    example: 'draft',
  })
  state: DocumentState;

  @Field.string({
    description: "Stage of the type's lifecycle.",
    example: 'draft',
  })
  lifecycle_stage: string;

  @Field.string({
    description:
      'What the caller may do now: submit, approve, reject, return, recall, finalize, send, revoke, supersede (once there is a ' +
      'finalized replacement), reopen.',
    example: ['submit'],
    list: { maxItems: 20 },
  })
  allowed_actions: string[];

  @Field.string({
    description: 'Fields that need a value before the document can be submitted or finalized.',
    example: ['customer_email'],
    list: { maxItems: 1_000 },
  })
  missing_required_fields: string[];

  @Field.map({
    description: 'Values of the tokens of modules that its template prints, by name, as they were read when it was created or edited.',
    example: { 'fleet.vehicle_name': 'Van 3' },
  })
  token_values: Record<string, unknown>;

  @Field.object(() => FurtherFileDto, {
    description: 'Files that are signed with it, after its own content.',
    example: undefined,
    list: { maxItems: 19, repeats: true },
  })
  files: FurtherFileDto[];

  @Field.object(() => DocumentApprovalDto, {
    description: 'Progress of the approval.',
    example: undefined,
  })
  approval: DocumentApprovalDto;

  @Field.object(() => DocumentSignatureDto, {
    description: 'Parties and deadline.',
    example: undefined,
  })
  signature: DocumentSignatureDto;

  @Field.string({
    description: 'Hexadecimal SHA-256 of the finalized PDF, of several over their hashes; or null.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
    nullable: true,
  })
  content_sha256: string | null;

  @Field.date({
    description: 'Last day of validity; null for no end.',
    example: '2027-11-20',
    nullable: true,
  })
  valid_until_on: string | null;

  @Field.uuid({
    description: 'Document that this one replaces.',
    example: DOCUMENT,
    nullable: true,
  })
  supersedes_id: string | null;

  @Field.string({
    description: 'Its number. In answers to GET.',
    example: 'AGR-2026-00041',
    nullable: true,
    required: false,
  })
  supersedes_number?: string | null;

  @Field.uuid({
    description: 'Document that has replaced this one.',
    example: DOCUMENT,
    nullable: true,
  })
  superseded_by_id: string | null;

  @Field.string({
    description: 'Its number. In answers to GET.',
    example: 'AGR-2026-00043',
    nullable: true,
    required: false,
  })
  superseded_by_number?: string | null;

  @Field.integer({
    description: 'Number of the revision, which reopening increases. Sealed files of earlier ones stay: get_document_content, revision.',
    example: 1,
    minimum: 1,
  })
  revision: number;

  @ActorField('Who created it.')
  created_by: ActorDto;

  @Field.dateTime({
    description: 'When it was finalized, UTC.',
    example: null,
    nullable: true,
  })
  finalized_at: string | null;

  @Field.dateTime({
    description: 'When the last party signed, UTC.',
    example: null,
    nullable: true,
  })
  executed_at: string | null;
}

/** The filters of list_documents. */
@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'title and number',
  customFields: 'document',
})
export class DocumentsQuery extends ProjectListQuery {
  @Filter.oneOf(DOCUMENT_STATES, {
    description: 'In these states.',
    example: ['in_approval'],
  })
  state?: DocumentState[];

  @Filter.string({
    description: 'Of these types.',
    example: ['customer_agreement'],
  })
  type_code?: string[];

  @Filter.custom({
    kind: 'string',
    description: 'With this reference: the text or its id.',
    example: 'order-4711',
    minLength: 1,
    maxLength: 255,
  })
  source_ref?: string;
}

/** The body of a submission. */
export class SubmitDocumentDto {
  @Field.string({
    description: 'For the approvers; becomes a comment.',
    example: 'Please look at clause 4.',
    maxLength: 4_000,
    required: false,
    nullable: true,
  })
  comment?: string | null;
}

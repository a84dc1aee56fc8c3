import { ActorDto, Field, Listing, ListQuery, partialOf, ResourceDto } from '../../../kit/index.js';
import type { AuditEntry } from '../model/records/audit-entry.entity.js';
import { CreateDocumentDto } from '../views/documents.dto.js';

/** What may be changed while a document is a draft or was returned; values are merged field by field, null clears one. */
export class UpdateDocumentDto extends partialOf(CreateDocumentDto, { omit: ['type_code', 'project_id'] }) {}

/** What a replacement has of its own; the rest is taken from the document that it replaces. */
export class ReplaceDocumentDto extends partialOf(CreateDocumentDto, { omit: ['type_code', 'project_id'] }) {}

/** Something that was done to a document. */
export class AuditEntryDto extends ResourceDto {
  @Field.constant('document_audit_entry')
  object: string;

  @Field.string({ description: 'What was done.', example: 'papers.approve' })
  action: string;

  @Field.object(() => ActorDto, { description: 'Who called.', example: undefined })
  actor: ActorDto;

  @Field.string({
    description: 'Address of the member in whose name it was done, where that is another.',
    example: 'ada@example.com',
    nullable: true,
  })
  acted_for: string | null;

  @Field.string({
    description: 'State before.',
    example: 'in_approval',
    nullable: true,
  })
  from_state: string | null;

  @Field.string({
    description: 'State after.',
    example: 'approved',
    nullable: true,
  })
  to_state: string | null;

  @Field.oneOf(['completed', 'failed'], { description: 'Whether it came to something.', example: 'completed' })
  status: AuditEntry['status'];

  @Field.string({
    description: 'Why it failed.',
    example: 'type has no published version',
    nullable: true,
  })
  error: string | null;

  @Field.map({ description: 'Further facts.', example: { step: 1 } })
  detail: Record<string, unknown>;

  static from(this: void, entry: AuditEntry): AuditEntryDto {
    const { id, action, actor, acted_for, from_state, to_state, status, error, detail, version } = entry;
    return {
      object: 'document_audit_entry',
      id,
      action,
      actor,
      acted_for,
      from_state,
      to_state,
      status,
      error,
      detail,
      version,
      created_at: entry.created_at.toISOString(),
      updated_at: entry.updated_at.toISOString(),
    };
  }
}

@Listing({ sort: ['created_at'], defaultSort: 'created_at' })
export class AuditEntriesQuery extends ListQuery {}

import { ActorDto, ActorField, Field, Filter, Listing, ListQuery, partialOf, ResourceDto, responseOf } from '../../../../kit/index.js';
import type { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { ArrangedFileDto } from '../../model/types/further-file.dto.js';
import { CreateDocumentDto } from '../../views/documents.dto.js';

const FIXED = ['type_code', 'project_id', 'file_url', 'file_base64'] as const;

/** The merge patch of a draft or returned document; values are merged field by field, null clears a field. */
export class UpdateDocumentDto extends partialOf(CreateDocumentDto, { omit: FIXED }) {
  @Field.object(() => ArrangedFileDto, {
    description: 'All files, in a new order or with new names.',
    example: [{ id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c70', name: 'Annex A' }],
    list: { maxItems: 19, repeats: true },
    required: false,
  })
  files?: ArrangedFileDto[];
}

/** What differs in a replacement; the rest is copied from the replaced document. */
export class ReplaceDocumentDto extends partialOf(CreateDocumentDto, { omit: [...FIXED, 'sending'] }) {}

/** An action on a document. */
export class AuditEntryDto extends ResourceDto {
  @Field.constant('document_audit_entry')
  object: string;

  @Field.string({
    description: 'The action.',
    example: 'papers.approve',
  })
  action: string;

  @ActorField('The member or key that made the request.')
  actor: ActorDto;

  @Field.string({
    description: 'Address of the member on whose behalf it was done, if not the actor.',
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

  @Field.oneOf(['completed', 'failed'], {
    description: 'Whether it succeeded.',
    example: 'completed',
  })
  status: AuditEntry['status'];

  @Field.string({
    description: 'Why it failed.',
    example: 'type has no published version',
    nullable: true,
  })
  error: string | null;

  @Field.map({
    description: 'Details.',
    example: { step: 1 },
  })
  detail: Record<string, unknown>;

  static from(this: void, entry: AuditEntry): AuditEntryDto {
    return responseOf(AuditEntryDto, entry);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
  unindexed: {
    action: 'A document has few entries.',
  },
})
export class AuditEntriesQuery extends ListQuery {
  @Filter.string({
    description: 'Only these actions.',
    example: ['papers.undelivered'],
  })
  action?: string[];
}

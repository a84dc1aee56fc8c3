import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  Filter,
  Listing,
  ListQuery,
  LookupQuery,
  partialOf,
  pickOf,
  ResourceDto,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import type { DocumentTypeVersion } from '../model/types/document-type-version.entity.js';
import type { DocumentType } from '../model/types/document-type.entity.js';
import { closedSchema } from '../model/core/field-schema.js';
import { STANDARD_LIFECYCLE } from '../model/core/lifecycle.js';
import { ArrangedFileDto, FurtherFileDto } from '../model/types/further-file.dto.js';
import type { FilesOfType } from '../model/types/type-file.js';
import { LifecycleDto } from '../model/types/lifecycle.dto.js';
import { TypeDefinitionDto } from '../model/types/type-definition.dto.js';
import type { TypeDefinition } from '../model/types/type-definition.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const TYPE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10';

/** The code of a type, which stands for its id in paths. */
export const TYPE_CODE = { pattern: '^[a-z][a-z0-9_]{1,62}$', example: 'customer_agreement' };

/** The body that creates a type. Missing parts of the definition get their defaults. */
export class CreateDocumentTypeDto extends partialOf(TypeDefinitionDto) {
  @Field.string({
    summary: true,
    description: 'Code, unique in the organization; it never changes.',
    example: 'customer_agreement',
    pattern: TYPE_CODE.pattern,
    maxLength: 63,
  })
  code: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Customer agreement',
    maxLength: 100,
  })
  name: string;

  @Field.string({
    description: 'Description.',
    example: 'For new customers.',
    maxLength: 2_000,
    required: false,
    nullable: true,
  })
  description?: string | null;

  @Field.uuid({
    description: 'Project that may use it; omit for all projects.',
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;
}

/** The merge patch of a type; members of the definition replace those of the draft. Published versions do not change. */
export class UpdateDocumentTypeDto extends partialOf(CreateDocumentTypeDto, { omit: ['code', 'project_id'] }) {
  @Field.object(() => ArrangedFileDto, {
    description: 'All its files, in a new order or with new names.',
    example: [{ id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c70', name: 'Annex A' }],
    list: { maxItems: 19, repeats: true },
    required: false,
  })
  files?: ArrangedFileDto[];
}

/** The files of a type or of one of its versions. */
class TypeFilesDto {
  @Field.boolean({
    description: 'Whether its documents consist of a PDF (see get_org_document_type_file) instead of the template.',
    example: false,
  })
  has_file: boolean;

  @Field.object(() => FurtherFileDto, {
    description: 'Files that are signed with its documents, after their own content.',
    example: undefined,
    list: { maxItems: 19, repeats: true },
  })
  files: FurtherFileDto[];

  static of({ file, files }: FilesOfType): TypeFilesDto {
    return {
      has_file: file !== null,
      files: files.map(({ id, name, bytes, file: { pages, sha256 } }) => ({ id, name, pages, bytes, sha256 })),
    };
  }
}

class TypeHeadDto extends bothOf(
  ResourceDto,
  shownOf(CreateDocumentTypeDto, {
    code: 'Code, for type_code of create_document.',
    name: true,
    description: true,
    project_id: 'Project that may use it; null for all.',
  }),
) {
  @Field.constant('document_type')
  object: string;

  @Field.integer({
    summary: true,
    description: 'Version of new documents; null while none is published.',
    example: 1,
    minimum: 1,
    nullable: true,
  })
  published_version: number | null;
}

/** What new documents use: of the published version, or of the draft while none is published. */
class EffectiveDto extends pickOf(TypeDefinitionDto, ['template']) {
  @Field.object(() => LifecycleDto, {
    description: 'The stages and transitions of its documents, for lifecycle_action; the standard ones unless the type has its own.',
    example: undefined,
  })
  lifecycle: LifecycleDto;
}

const SHOWN = [
  'field_schema',
  'requires_approval',
  'finalize_on_approval',
  'allow_self_approval',
  'require_decision_comment',
  'approval_route',
  'numbering',
  'signature_parties',
  'signing_days',
  'language',
  'obligation_rules',
  'ai_auto_run',
  'validity_months',
] as const;

/** A type as document creators see it: with its published version, or its draft while none is published. */
export class DocumentTypeDto extends bothOf(bothOf(TypeHeadDto, pickOf(TypeDefinitionDto, SHOWN)), EffectiveDto) {
  @Field.integer({
    description: 'Version of the zones (see list_document_type_zones); 0 while there are none.',
    example: 1,
    minimum: 0,
  })
  zones_version: number;

  static from(this: void, type: DocumentType, published: TypeDefinition | null, zones_version: number): DocumentTypeDto {
    const definition = published ?? type.draft;
    const shown = Object.fromEntries(SHOWN.map((name) => [name, definition[name]])) as Pick<TypeDefinition, (typeof SHOWN)[number]>;
    // versions from before types had a language lack it
    const field_schema = closedSchema(definition.field_schema);
    return { ...headOf(type), ...shown, field_schema, language: definition.language ?? 'en', ...effectiveOf(definition), zones_version };
  }
}

/** A type as its administrators see it. */
export class OrgDocumentTypeDto extends bothOf(bothOf(TypeHeadDto, EffectiveDto), TypeFilesDto) {
  @Field.object(() => TypeDefinitionDto, {
    description: 'The draft definition; publishing makes it the next version.',
    example: undefined,
  })
  draft: TypeDefinitionDto;

  static from(this: void, type: DocumentType, published: TypeDefinition | null): OrgDocumentTypeDto {
    return { ...headOf(type), ...effectiveOf(published ?? type.draft), draft: type.draft, ...TypeFilesDto.of(type) };
  }
}

/** A published version; it never changes. */
export class DocumentTypeVersionDto extends bothOf(ResourceDto, TypeFilesDto) {
  @Field.constant('document_type_version')
  object: string;

  @Field.uuid({
    description: 'The type.',
    example: TYPE,
  })
  type_id: string;

  @Field.integer({
    description: 'Number of the version, starting at 1.',
    example: 1,
    minimum: 1,
  })
  number: number;

  @Field.string({
    description: 'Name of the type when it was published.',
    example: 'Customer agreement',
  })
  name: string;

  @Field.object(() => TypeDefinitionDto, {
    description: 'The definition.',
    example: undefined,
  })
  definition: TypeDefinitionDto;

  @ActorField('Who published it.')
  published_by: ActorDto;

  static from(this: void, published: DocumentTypeVersion): DocumentTypeVersionDto {
    return { ...responseOf(DocumentTypeVersionDto, published), ...TypeFilesDto.of(published) };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class DocumentTypesQuery extends LookupQuery {
  @Filter.string({
    description: 'Only these codes.',
    example: ['customer_agreement'],
  })
  code?: string[];

  @Filter.uuid({
    description: 'Of these projects; none for all.',
    example: [PROJECT],
    orNone: true,
  })
  project_id?: (string | null)[];
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  unindexed: {
    created_at: 'A type has few versions.',
  },
})
export class DocumentTypeVersionsQuery extends ListQuery {}

function effectiveOf({ template, lifecycle }: TypeDefinition): EffectiveDto {
  return { template, lifecycle: lifecycle ?? STANDARD_LIFECYCLE };
}

function headOf(type: DocumentType) {
  const { id, code, name, description, project_id, published_version, version } = type;
  return {
    object: 'document_type',
    id,
    code,
    name,
    description,
    project_id,
    published_version,
    version,
    created_at: type.created_at.toISOString(),
    updated_at: type.updated_at.toISOString(),
  };
}

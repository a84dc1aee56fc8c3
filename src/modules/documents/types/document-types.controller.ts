import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { DocumentTypeDto, DocumentTypesQuery, TYPE_CODE } from './document-types.dto.js';
import type { DocumentType } from '../model/types/document-type.entity.js';
import { DocumentTypesService } from './document-types.service.js';
import { Zones } from './zones/zones.service.js';

@Controller('/api/v1/ext/papers/types')
export class DocumentTypesController {
  constructor(
    private readonly types: DocumentTypesService,
    private readonly zones: Zones,
  ) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    operation: 'list_document_types',
    summary: 'List document types',
    lookup: { fields: ['id', 'code', 'name', 'project_id', 'published_version'] },
    returns: DocumentTypeDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DocumentTypesQuery): Promise<ListBody<DocumentTypeDto>> {
    const page = await this.types.page(ctx, query);
    return listBody(page, await this.shown(ctx, page.data));
  }

  @Get(':id')
  @Endpoint({
    scope: 'papers:document:read',
    operation: 'get_document_type',
    summary: 'Get a document type',
    returns: DocumentTypeDto,
    description: 'field_schema is the closed schema of data_values.',
  })
  async get(@Ctx() ctx: Ctx, @Id('id', 'Id or code of the type.', TYPE_CODE) id: string): Promise<DocumentTypeDto> {
    const type = await this.types.withIdOrCode(ctx, id);
    return (await this.shown(ctx, [type]))(type);
  }

  private async shown(ctx: Ctx, types: readonly DocumentType[]): Promise<(type: DocumentType) => DocumentTypeDto> {
    const ids = types.map(({ id }) => id);
    const [published, zones] = await Promise.all([this.types.published(ctx, types), this.zones.seen(ctx, ids)]);
    return (type) => DocumentTypeDto.from(type, published(type), zones(type.id).version);
  }
}

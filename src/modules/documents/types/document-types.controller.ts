import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, type ListBody } from '../../../kit/index.js';
import { DocumentTypeDto, DocumentTypesQuery } from './document-types.dto.js';
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
    description: 'field_schema defines the data_values of documents. Only types with a published_version can be used.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DocumentTypesQuery): Promise<ListBody<DocumentTypeDto>> {
    const page = await this.types.page(ctx, query);
    const [published, zones] = await Promise.all([
      this.types.published(ctx, page.data),
      this.zones.seen(
        ctx,
        page.data.map(({ id }) => id),
      ),
    ]);
    return listBody(page, (type) => DocumentTypeDto.from(type, published(type), zones(type.id).version));
  }
}

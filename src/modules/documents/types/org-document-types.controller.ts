import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import {
  CreateDocumentTypeDto,
  DocumentTypesQuery,
  DocumentTypeVersionDto,
  DocumentTypeVersionsQuery,
  OrgDocumentTypeDto,
  UpdateDocumentTypeDto,
} from './document-types.dto.js';
import type { DocumentType } from '../model/types/document-type.entity.js';
import { DocumentTypesService } from './document-types.service.js';

const permission = 'papers.setup.manage';

@Controller('/api/v1/org/papers/types')
export class OrgDocumentTypesController {
  constructor(private readonly types: DocumentTypesService) {}

  @Get()
  @Endpoint({
    operation: 'list_org_document_types',
    summary: 'List document types',
    permission: 'papers.document.view',
    returns: OrgDocumentTypeDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DocumentTypesQuery): Promise<ListBody<OrgDocumentTypeDto>> {
    const page = await this.types.page(ctx, query);
    const published = await this.types.published(ctx, page.data);
    return listBody(page, (type) => OrgDocumentTypeDto.from(type, published(type)));
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_org_document_type',
    summary: 'Get a document type with its draft',
    permission: 'papers.document.view',
    returns: OrgDocumentTypeDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<OrgDocumentTypeDto> {
    return this.bodyOf(ctx, await this.types.get(ctx, id));
  }

  @Post()
  @Endpoint({
    operation: 'create_org_document_type',
    summary: 'Create a document type',
    description: 'Creates a draft; documents can be created once it is published.',
    permission,
    returns: OrgDocumentTypeDto,
    status: 201,
    errors: [CommonErrors.duplicate],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateDocumentTypeDto): Promise<OrgDocumentTypeDto> {
    return this.bodyOf(ctx, await this.types.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    operation: 'update_org_document_type',
    summary: 'Edit the draft of a document type',
    description: 'Members of the definition replace those of the draft. Published versions and their documents do not change.',
    permission,
    returns: OrgDocumentTypeDto,
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateDocumentTypeDto): Promise<OrgDocumentTypeDto> {
    return this.bodyOf(ctx, await this.types.update(ctx, id, body));
  }

  @Post(':id/publish')
  @Endpoint({
    operation: 'publish_org_document_type',
    summary: 'Publish the draft as the next version',
    permission,
    ifMatch: true,
    returns: DocumentTypeVersionDto,
    status: 201,
  })
  async publish(@Ctx() ctx: Ctx, @Id() id: string): Promise<DocumentTypeVersionDto> {
    return DocumentTypeVersionDto.from(await this.types.publish(ctx, id));
  }

  @Get(':id/versions')
  @Endpoint({
    operation: 'list_org_document_type_versions',
    summary: 'List the published versions of a type',
    permission: 'papers.document.view',
    returns: DocumentTypeVersionDto,
    list: true,
  })
  async versions(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: DocumentTypeVersionsQuery): Promise<ListBody<DocumentTypeVersionDto>> {
    return listBody(await this.types.versionsOf(ctx, id, query), DocumentTypeVersionDto.from);
  }

  private async bodyOf(ctx: Ctx, type: DocumentType): Promise<OrgDocumentTypeDto> {
    const published = await this.types.published(ctx, [type]);
    return OrgDocumentTypeDto.from(type, published(type));
  }
}

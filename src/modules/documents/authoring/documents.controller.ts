import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { DocumentViews } from '../views/document-views.js';
import { CreateDocumentDto, DocumentDto, DocumentsQuery } from '../views/documents.dto.js';
import { DocumentsService } from './documents.service.js';

@Controller('/api/v1/ext/papers/documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly views: DocumentViews,
  ) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    operation: 'list_documents',
    summary: 'List documents',
    description: 'All filters must match. Several values of a filter, separated by commas, match any of them.',
    returns: DocumentDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DocumentsQuery): Promise<ListBody<DocumentDto>> {
    const page = await this.documents.page(ctx, query);
    return listBody(page, await this.views.mapper(ctx, page.data));
  }

  @Get(':id')
  @Endpoint({
    scope: 'papers:document:read',
    operation: 'get_document',
    summary: 'Get one document',
    returns: DocumentDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<DocumentDto> {
    return this.views.of(ctx, await this.documents.get(ctx, id));
  }

  @Post()
  @Endpoint({
    scope: 'papers:document:write',
    operation: 'create_document',
    summary: 'Create a document',
    returns: DocumentDto,
    status: 201,
    description:
      'Creates a draft with the latest published version of the type. missing_required_fields lists what it needs before it can be ' +
      'submitted.',
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateDocumentDto): Promise<DocumentDto> {
    return this.views.of(ctx, await this.documents.create(ctx, body));
  }
}

import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, SentFiles, type ListBody, type SentFile } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentViews } from '../../views/document-views.js';
import { CreateDocumentDto, DocumentDto, DocumentsQuery } from '../../views/documents.dto.js';
import { FILE_UPLOAD } from '../files/given-files.service.js';
import { DocumentEditing } from './document-editing.service.js';
import { DocumentsService } from './documents.service.js';
import { ReplaceDocumentDto, UpdateDocumentDto } from './org-documents.dto.js';
import { DocumentEvents } from '../../views/documents.events.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

const DELETION = 'A draft that was reopened cannot be deleted.';

@Controller('/api/v1/ext/papers/documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly editing: DocumentEditing,
    private readonly views: DocumentViews,
  ) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    member: { permission: 'papers.document.view' },
    operation: 'list_documents',
    summary: 'List documents',

    returns: DocumentDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DocumentsQuery): Promise<ListBody<DocumentDto>> {
    const page = await this.documents.page(ctx, query);
    return listBody(page, await this.views.reader(ctx, page.data));
  }

  @Get(':id')
  @Endpoint({
    scope: 'papers:document:read',
    member: { permission: 'papers.document.view' },
    operation: 'get_document',
    summary: 'Get one document',
    returns: DocumentDto,
  })
  async get(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string): Promise<DocumentDto> {
    const document = await this.documents.get(ctx, id);
    return (await this.views.reader(ctx, [document]))(document);
  }

  @Post()
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'create_document',
    summary: 'Create a document',
    returns: DocumentDto,
    status: 201,
    description:
      'missing_required_fields lists what it still needs. With a PDF it consists ' +
      'of that; place fields with replace_document_file_fields.',
    files: FILE_UPLOAD,
    emits: [DocumentEvents.created],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateDocumentDto, @SentFiles() sent: readonly SentFile[]): Promise<DocumentDto> {
    return this.views.of(ctx, await this.documents.create(ctx, body, sent.at(0)));
  }

  @Patch(':id')
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'update_document',
    summary: 'Change a draft',
    returns: DocumentDto,
    errors: [DocumentErrors.invalidTransition],
    description: 'Also a returned one. data_values are merged field by field; null clears a field.',
  })
  async update(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: UpdateDocumentDto): Promise<DocumentDto> {
    return this.views.of(ctx, await this.editing.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage', description: `${DELETION} Its audit trail stays readable.` },
    operation: 'delete_document',
    summary: 'Delete a draft',
    returns: null,
    errors: [DocumentErrors.invalidTransition],
    description: DELETION,
  })
  delete(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string): Promise<void> {
    return this.editing.delete(ctx, id);
  }

  @Post(':id/replacement')
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'replace_document',
    summary: 'Replace a document',
    returns: DocumentDto,
    status: 201,
    ifMatch: true,
    errors: [DocumentErrors.invalidTransition],
    description: "A draft with this document's values and those sent, which can supersede it once finalized.",
    emits: [DocumentEvents.created],
  })
  async replace(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: ReplaceDocumentDto): Promise<DocumentDto> {
    return this.views.of(ctx, await this.editing.replace(ctx, id, body));
  }
}

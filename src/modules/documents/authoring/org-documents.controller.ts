import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { DocumentErrors } from '../model/core/documents.errors.js';
import { CreateDocumentCommentDto, DocumentCommentDto, DocumentCommentsQuery } from './document-comments.dto.js';
import { DocumentComments } from './document-comments.service.js';
import { DocumentEditing } from './document-editing.service.js';
import { DocumentViews } from '../views/document-views.js';
import { CreateDocumentDto, DocumentDto, DocumentsQuery } from '../views/documents.dto.js';
import { DocumentsService } from './documents.service.js';
import { AuditEntriesQuery, AuditEntryDto, ReplaceDocumentDto, UpdateDocumentDto } from './org-documents.dto.js';

const view = 'papers.document.view';
const manage = 'papers.document.manage';

@Controller('/api/v1/org/papers/documents')
export class OrgDocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly editing: DocumentEditing,
    private readonly comments: DocumentComments,
    private readonly views: DocumentViews,
  ) {}

  @Get()
  @Endpoint({
    permission: view,
    operation: 'list_org_documents',
    summary: 'List documents',
    returns: DocumentDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DocumentsQuery): Promise<ListBody<DocumentDto>> {
    const page = await this.documents.page(ctx, query);
    return listBody(page, await this.views.mapper(ctx, page.data));
  }

  @Get(':id')
  @Endpoint({
    permission: view,
    operation: 'get_org_document',
    summary: 'Get one document',
    returns: DocumentDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<DocumentDto> {
    return this.views.of(ctx, await this.documents.get(ctx, id));
  }

  @Post()
  @Endpoint({
    permission: manage,
    operation: 'create_org_document',
    summary: 'Create a document',
    returns: DocumentDto,
    status: 201,
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateDocumentDto): Promise<DocumentDto> {
    return this.views.of(ctx, await this.documents.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    permission: manage,
    operation: 'update_org_document',
    summary: 'Change a draft or a returned document',
    returns: DocumentDto,
    errors: [DocumentErrors.invalidTransition],
    description: 'data_values are merged field by field; null clears a field.',
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateDocumentDto): Promise<DocumentDto> {
    return this.views.of(ctx, await this.editing.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    permission: manage,
    operation: 'delete_org_document',
    summary: 'Delete a draft',
    returns: null,
    errors: [DocumentErrors.invalidTransition],
    description:
      'With its comments and share links; its number is not used again and its audit trail stays readable. ' +
      'A draft that was reopened cannot be deleted.',
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.editing.delete(ctx, id);
  }

  @Post(':id/replacement')
  @Endpoint({
    permission: manage,
    operation: 'replace_org_document',
    summary: 'Create a replacement for a document',
    returns: DocumentDto,
    status: 201,
    ifMatch: true,
    errors: [DocumentErrors.invalidTransition],
    description:
      "A draft of the latest version of the type, with this document's values and those sent. Once it is finalized, it can supersede " +
      'this document.',
  })
  async replace(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: ReplaceDocumentDto): Promise<DocumentDto> {
    return this.views.of(ctx, await this.editing.replace(ctx, id, body));
  }

  @Get(':id/comments')
  @Endpoint({
    permission: view,
    operation: 'list_org_document_comments',
    summary: 'List the comments of a document',
    returns: DocumentCommentDto,
    list: true,
  })
  async listComments(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: DocumentCommentsQuery): Promise<ListBody<DocumentCommentDto>> {
    return listBody(await this.comments.page(ctx, id, query), DocumentCommentDto.from);
  }

  @Post(':id/comments')
  @Endpoint({
    permission: manage,
    operation: 'create_org_document_comment',
    summary: 'Comment on a document',
    returns: DocumentCommentDto,
    status: 201,
  })
  async createComment(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: CreateDocumentCommentDto): Promise<DocumentCommentDto> {
    return DocumentCommentDto.from(await this.comments.create(ctx, id, body));
  }

  @Get(':id/audit-entries')
  @Endpoint({
    permission: view,
    operation: 'list_org_document_audit_entries',
    summary: 'List the audit trail of a document',
    returns: AuditEntryDto,
    list: true,
  })
  async auditTrail(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: AuditEntriesQuery): Promise<ListBody<AuditEntryDto>> {
    return listBody(await this.documents.auditTrail(ctx, id, query), AuditEntryDto.from);
  }
}

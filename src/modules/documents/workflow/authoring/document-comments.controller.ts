import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../../kit/index.js';
import { CreateDocumentCommentDto, DocumentCommentDto, DocumentCommentsQuery } from './document-comments.dto.js';
import { DocumentComments } from './document-comments.service.js';
import { DocumentEvents } from '../../views/documents.events.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

@Controller('/api/v1/ext/papers/documents/:id/comments')
export class DocumentCommentsController {
  constructor(private readonly comments: DocumentComments) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    member: { permission: 'papers.document.view' },
    operation: 'list_document_comments',
    summary: 'List the comments of a document',
    returns: DocumentCommentDto,
    list: true,
  })
  async list(
    @Ctx() ctx: Ctx,
    @Id(DOCUMENT_NUMBER) id: string,
    @Query() query: DocumentCommentsQuery,
  ): Promise<ListBody<DocumentCommentDto>> {
    return listBody(await this.comments.page(ctx, id, query), DocumentCommentDto.from);
  }

  @Post()
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'create_document_comment',
    summary: 'Comment on a document',
    returns: DocumentCommentDto,
    status: 201,
    emits: [DocumentEvents.commentAdded],
  })
  async create(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: CreateDocumentCommentDto): Promise<DocumentCommentDto> {
    return DocumentCommentDto.from(await this.comments.create(ctx, id, body));
  }
}

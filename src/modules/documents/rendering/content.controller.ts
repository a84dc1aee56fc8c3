import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, FileResponse, Id } from '../../../kit/index.js';
import { DocumentsService } from '../authoring/documents.service.js';
import { contentAnswer } from './content-response.js';
import { ContentQuery } from './content.dto.js';
import { Contents } from './contents.service.js';

const produces = {
  'text/html': 'The document as a page.',
  'application/pdf': 'The document for print.',
  'text/plain': 'The words alone: the locations of risks count in them.',
};

@Controller('/api/v1/ext/papers/documents/:id/content')
export class ContentController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly contents: Contents,
  ) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    operation: 'get_document_content',
    summary: 'Get the text of a document as HTML, PDF or plain text',
    returns: null,
    produces,
    description:
      'Frozen bytes once it is finalized, with signatures once it is executed. Before that it is made for the moment and marked DRAFT.',
  })
  async get(@Ctx() ctx: Ctx, @Id('id', 'Id of the document.') id: string, @Query() { format }: ContentQuery): Promise<FileResponse> {
    return contentAnswer(ctx, this.contents, await this.documents.get(ctx, id), format ?? 'html');
  }
}

@Controller('/api/v1/org/papers/documents/:id/content')
export class OrgContentController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly contents: Contents,
  ) {}

  @Get()
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'get_org_document_content',
    summary: 'Get the text of a document as HTML, PDF or plain text',
    returns: null,
    produces,
  })
  async get(@Ctx() ctx: Ctx, @Id('id', 'Id of the document.') id: string, @Query() { format }: ContentQuery): Promise<FileResponse> {
    return contentAnswer(ctx, this.contents, await this.documents.get(ctx, id), format ?? 'html');
  }
}

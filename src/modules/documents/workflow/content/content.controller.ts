import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, FileResponse, Id } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentsService } from '../authoring/documents.service.js';
import { contentResponse } from './content-response.js';
import { ContentQuery } from './content.dto.js';
import { Contents } from './contents.service.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

@Controller('/api/v1/ext/papers/documents/:id/content')
export class ContentController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly contents: Contents,
  ) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    member: { permission: 'papers.document.view' },
    operation: 'get_document_content',
    summary: 'Get the text of a document',
    returns: null,
    errors: [DocumentErrors.contentErased],
    produces: {
      'text/html': 'The document as a page.',
      'application/pdf': 'The document for printing.',
      'text/plain': 'The plain text. The locations of risks are offsets in it.',
    },
    description: 'As frozen when finalized, with the signatures once executed; before that a draft marked DRAFT.',
  })
  async get(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Query() query: ContentQuery): Promise<FileResponse> {
    return contentResponse(ctx, this.contents, await this.documents.get(ctx, id), query);
  }
}

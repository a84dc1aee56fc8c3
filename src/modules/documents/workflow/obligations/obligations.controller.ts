import { Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentObligationsQuery, ObligationDto, ObligationsQuery } from './obligations.dto.js';
import { ObligationsService } from './obligations.service.js';
import { DocumentEvents } from '../../views/documents.events.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

const read = 'papers:obligation:read';

@Controller('/api/v1/ext/papers')
export class ObligationsController {
  constructor(private readonly obligations: ObligationsService) {}

  @Get('documents/:id/obligations')
  @Endpoint({
    scope: read,
    member: { permission: 'papers.document.view' },
    operation: 'list_document_obligations',
    summary: 'List the obligations of a document',
    returns: ObligationDto,
    list: true,
  })
  async listOf(
    @Ctx() ctx: Ctx,
    @Id(DOCUMENT_NUMBER) id: string,
    @Query() query: DocumentObligationsQuery,
  ): Promise<ListBody<ObligationDto>> {
    const page = await this.obligations.pageOf(ctx, id, query);
    return listBody(page, await this.obligations.mapper(ctx, page.data));
  }

  @Get('obligations')
  @Endpoint({
    scope: read,
    member: { permission: 'papers.document.view' },
    operation: 'list_obligations',
    summary: 'List obligations',
    returns: ObligationDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ObligationsQuery): Promise<ListBody<ObligationDto>> {
    const page = await this.obligations.page(ctx, query);
    return listBody(page, await this.obligations.mapper(ctx, page.data));
  }

  @Post('obligations/:id/complete')
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'complete_obligation',
    summary: 'Complete an obligation',
    returns: ObligationDto,
    errors: [DocumentErrors.invalidTransition],
    description: 'It must be pending. A recurring one gets its next occurrence.',
    emits: [DocumentEvents.obligationCompleted, DocumentEvents.obligationCreated],
  })
  async complete(@Ctx() ctx: Ctx, @Id() id: string): Promise<ObligationDto> {
    return this.obligations.of(ctx, await this.obligations.complete(ctx, id));
  }
}

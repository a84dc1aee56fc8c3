import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { DocumentErrors } from '../model/core/documents.errors.js';
import { ConfirmObligationDto, CreateObligationDto, EndObligationDto, ObligationDto, ObligationsQuery } from './obligations.dto.js';
import { ObligationsService } from './obligations.service.js';

const permission = 'papers.document.manage';
const errors = [DocumentErrors.invalidTransition];

@Controller('/api/v1/org/papers/obligations')
export class OrgObligationsController {
  constructor(private readonly obligations: ObligationsService) {}

  @Get()
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'list_org_obligations',
    summary: 'List obligations',
    returns: ObligationDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ObligationsQuery): Promise<ListBody<ObligationDto>> {
    const page = await this.obligations.page(ctx, query);
    return listBody(page, await this.obligations.mapper(ctx, page.data));
  }

  @Post()
  @Endpoint({
    permission,
    errors,
    operation: 'create_org_obligation',
    summary: 'Create an obligation',
    returns: ObligationDto,
    status: 201,
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateObligationDto): Promise<ObligationDto> {
    return this.obligations.of(ctx, await this.obligations.create(ctx, body));
  }

  @Post(':id/confirm')
  @Endpoint({
    permission,
    errors,
    operation: 'confirm_org_obligation',
    summary: 'Confirm a proposed obligation',
    description: 'Puts an obligation that an analysis proposed in force, with what you change. Cancel dismisses a proposal for good.',
    returns: ObligationDto,
  })
  async confirm(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: ConfirmObligationDto): Promise<ObligationDto> {
    return this.obligations.of(ctx, await this.obligations.confirm(ctx, id, body));
  }

  @Post(':id/complete')
  @Endpoint({
    permission,
    errors,
    operation: 'complete_org_obligation',
    summary: 'Complete an obligation',
    returns: ObligationDto,
  })
  async complete(@Ctx() ctx: Ctx, @Id() id: string): Promise<ObligationDto> {
    return this.obligations.of(ctx, await this.obligations.complete(ctx, id));
  }

  @Post(':id/waive')
  @Endpoint({
    permission,
    errors,
    operation: 'waive_org_obligation',
    summary: 'Waive an obligation',
    description: 'Waives this occurrence. A recurring obligation continues with the next one.',
    returns: ObligationDto,
  })
  async waive(@Ctx() ctx: Ctx, @Id() id: string, @Body() { reason = null }: EndObligationDto): Promise<ObligationDto> {
    return this.obligations.of(ctx, await this.obligations.waive(ctx, id, reason));
  }

  @Post(':id/cancel')
  @Endpoint({
    permission,
    errors,
    operation: 'cancel_org_obligation',
    summary: 'Cancel an obligation',
    description: 'Ends the obligation, or dismisses a proposed one. A recurring obligation does not continue.',
    returns: ObligationDto,
  })
  async cancel(@Ctx() ctx: Ctx, @Id() id: string, @Body() { reason = null }: EndObligationDto): Promise<ObligationDto> {
    return this.obligations.of(ctx, await this.obligations.cancel(ctx, id, reason));
  }
}

import { Body, Controller, Post } from '@nestjs/common';
import { Ctx, Endpoint, Id } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { ConfirmObligationDto, CreateObligationDto, EndObligationDto, ObligationDto } from './obligations.dto.js';
import { ObligationsService } from './obligations.service.js';

const permission = 'papers.document.manage';
const errors = [DocumentErrors.invalidTransition];

@Controller('/api/v1/org/papers/obligations')
export class OrgObligationsController {
  constructor(private readonly obligations: ObligationsService) {}

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
    description:
      'Puts an obligation that an analysis proposed in force, with what you change. Cancelling dismisses a proposal permanently.',
    returns: ObligationDto,
  })
  async confirm(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: ConfirmObligationDto): Promise<ObligationDto> {
    return this.obligations.of(ctx, await this.obligations.confirm(ctx, id, body));
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

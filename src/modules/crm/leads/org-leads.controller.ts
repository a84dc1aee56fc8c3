import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CrmNames } from '../config/crm-names.service.js';
import { CreateLeadDto, LeadDto } from './leads.dto.js';
import { LeadsService } from './leads.service.js';
import { ConsentRecordDto, ConsentRecordsQuery } from '../person/consent-record.dto.js';

const permission = 'org.marketing.leads.manage';

/** What only signed-in members can do with leads. */
@Controller('api/v1/org/marketing/leads')
export class OrgLeadsController {
  constructor(
    private readonly leads: LeadsService,
    private readonly names: CrmNames,
  ) {}

  @Post()
  @Endpoint({
    operation: 'create_org_lead',
    summary: 'Create a lead',
    permission,
    returns: LeadDto,
    status: 201,
    description:
      'Requires full_name, or first_name and last_name, and email or phone. Existing leads are not matched: ' +
      'a second lead of the same person is a separate lead. Assignment rules run when no owner is given.',
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateLeadDto): Promise<LeadDto> {
    return this.names.one(ctx, await this.leads.create(ctx, body), LeadDto.from);
  }

  @Delete(':id')
  @Endpoint({
    operation: 'delete_org_lead',
    summary: 'Delete a lead',
    description: 'The consent log of the lead is kept.',
    permission,
    returns: null,
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.leads.delete(ctx, id);
  }

  @Get(':id/consent-records')
  @Endpoint({
    operation: 'list_org_lead_consent_records',
    summary: 'List the consent log of a lead',
    description: 'Also for a deleted lead.',
    permission,
    returns: ConsentRecordDto,
    list: true,
  })
  async consentRecords(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: ConsentRecordsQuery): Promise<ListBody<ConsentRecordDto>> {
    return listBody(await this.leads.consentRecords(ctx, id, query), ConsentRecordDto.from);
  }
}

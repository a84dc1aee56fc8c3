import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CrmNames } from '../config/crm-names.service.js';
import { DealNames } from '../deals/deal-names.service.js';
import { ContactDto } from '../contacts/contacts.dto.js';
import { ConvertLeadDto, LeadConversionDto } from './lead-conversion.dto.js';
import { LeadConversionService } from './lead-conversion.service.js';
import { LeadDto, LeadsQuery, UpdateLeadDto } from './leads.dto.js';
import { LeadsService } from './leads.service.js';
import { LeadEvents } from './leads.events.js';
import { ContactEvents } from '../contacts/contacts.events.js';
import { DealEvents } from '../deals/deals.events.js';

const permission = 'org.marketing.leads.manage';
const ORG = '/api/v1/org/marketing/leads';
const FILTERS = 'Filters are combined with AND; several values of one filter, separated by commas, with OR.';

@Controller('/api/v1/ext/crm/leads')
export class LeadsController {
  constructor(
    private readonly leads: LeadsService,
    private readonly conversions: LeadConversionService,
    private readonly names: CrmNames,
    private readonly dealNames: DealNames,
  ) {}

  @Get()
  @Endpoint({
    scope: 'crm:lead:read',
    member: { permission, path: ORG, description: FILTERS },
    operation: 'list_leads',
    summary: 'List leads',
    returns: LeadDto,
    list: true,
    description:
      FILTERS + ' A key bound to a project sees only that project. Leads come in through the lead webhook, so no call creates one.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: LeadsQuery): Promise<ListBody<LeadDto>> {
    const page = await this.leads.page(ctx, query);
    return listBody(page, await this.names.mapper(ctx, page.data, LeadDto.from));
  }

  @Get(':id')
  @Endpoint({
    scope: 'crm:lead:read',
    member: { permission, path: `${ORG}/:id` },
    operation: 'get_lead',
    summary: 'Get one lead',
    returns: LeadDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<LeadDto> {
    return this.names.one(ctx, await this.leads.get(ctx, id), LeadDto.from);
  }

  @Patch(':id')
  @Endpoint({
    scope: 'crm:lead:write',
    member: { permission, path: `${ORG}/:id` },
    operation: 'update_lead',
    summary: 'Change a lead',
    returns: LeadDto,
    description:
      'Send only the fields to change; custom_fields are merged. A lead needs an e-mail address or a phone number. ' +
      'Consent flags get the time of the server and are kept in the consent log.',
    emits: [LeadEvents.leadUpdated, LeadEvents.leadStatusChanged],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateLeadDto): Promise<LeadDto> {
    return this.names.one(ctx, await this.leads.update(ctx, id, body), LeadDto.from);
  }

  @Post(':id/convert')
  @Endpoint({
    scope: 'crm:lead:write',
    member: { permission, path: `${ORG}/:id/convert` },
    operation: 'convert_lead',
    summary: 'Convert a lead to a contact',
    returns: LeadConversionDto,
    errors: [CommonErrors.duplicate],
    description:
      'Creates a contact from the lead, or links the lead to an existing contact, and opens a deal if one is given. ' +
      'The lead moves to the first qualified status. A lead can be converted only once.',
    emits: [ContactEvents.contactCreated, DealEvents.dealCreated, DealEvents.dealWon, LeadEvents.leadConverted],
  })
  async convert(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: ConvertLeadDto): Promise<LeadConversionDto> {
    const { lead, contact, deal } = await this.conversions.convert(ctx, id, body);
    return LeadConversionDto.from({
      lead: await this.names.one(ctx, lead, LeadDto.from),
      contact: await this.names.one(ctx, contact, ContactDto.from),
      deal: deal && (await this.dealNames.one(ctx, deal)),
    });
  }
}

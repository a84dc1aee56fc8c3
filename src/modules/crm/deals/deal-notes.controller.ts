import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CreateDealNoteDto, DealNoteDto, DealNotesQuery } from './deal-notes.dto.js';
import { DealNotes } from './deal-notes.service.js';

@Controller('/api/v1/ext/crm/deals/:id/notes')
export class DealNotesController {
  constructor(private readonly notes: DealNotes) {}

  @Get()
  @Endpoint({
    scope: 'crm:deal:read',
    member: { permission: 'crm.deal.view' },
    operation: 'list_deal_notes',
    summary: 'List the notes of a deal',
    returns: DealNoteDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Id('id', 'Id of the deal.') id: string, @Query() query: DealNotesQuery): Promise<ListBody<DealNoteDto>> {
    return listBody(await this.notes.page(ctx, id, query), DealNoteDto.from);
  }

  @Post()
  @Endpoint({
    scope: 'crm:deal:write',
    member: { permission: 'crm.deal.manage' },
    operation: 'create_deal_note',
    summary: 'Add a note to a deal',
    returns: DealNoteDto,
    status: 201,
  })
  async create(@Ctx() ctx: Ctx, @Id('id', 'Id of the deal.') id: string, @Body() body: CreateDealNoteDto): Promise<DealNoteDto> {
    return DealNoteDto.from(await this.notes.create(ctx, id, body));
  }
}

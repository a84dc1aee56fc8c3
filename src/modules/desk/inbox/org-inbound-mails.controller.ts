import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, Store, type ListBody } from '../../../kit/index.js';
import { InboundMailRow } from '../model/mails.entity.js';
import { InboundMailDto, InboundMailsQuery } from './inbound-mails.dto.js';

@Controller('/api/v1/org/desk/inbound-mails')
export class OrgInboundMailsController {
  constructor(private readonly store: Store) {}

  @Get()
  @Endpoint({
    permission: 'desk.ticket.manage',
    operation: 'list_org_inbound_mails',
    summary: 'List the mails that mailboxes received',
    description: 'With the reason why one became no ticket, such as an automatic reply, and with what each quoted.',
    returns: InboundMailDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: InboundMailsQuery): Promise<ListBody<InboundMailDto>> {
    return listBody(await this.store.page(ctx, InboundMailRow, query), InboundMailDto.from);
  }
}

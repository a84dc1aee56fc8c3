import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, Store, type ListBody } from '../../../kit/index.js';
import { InboundMailRow } from '../model/mails.entity.js';
import { ReceivedMailDto, ReceivedMailsQuery } from './received-mails.dto.js';

@Controller('/api/v1/org/desk/received-mails')
export class OrgReceivedMailsController {
  constructor(private readonly store: Store) {}

  @Get()
  @Endpoint({
    permission: 'desk.ticket.manage',
    operation: 'list_org_received_mails',
    summary: 'List the mails that mailboxes received',
    description: 'With the reason why one became no ticket, such as an automatic reply, and with what each quoted.',
    returns: ReceivedMailDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ReceivedMailsQuery): Promise<ListBody<ReceivedMailDto>> {
    return listBody(await this.store.page(ctx, InboundMailRow, query), ReceivedMailDto.from);
  }
}

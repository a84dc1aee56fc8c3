import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, Store, type FileResponse, type ListBody } from '../../../kit/index.js';
import { InboundMailRow } from '../model/mails.entity.js';
import { InboundMailDto, InboundMailsQuery, OpenInboundMailDto } from './inbound-mails.dto.js';
import { KeptMails } from './kept-mails.service.js';

const permission = 'desk.ticket.manage';

@Controller('/api/v1/org/desk/inbound-mails')
export class OrgInboundMailsController {
  constructor(
    private readonly store: Store,
    private readonly kept: KeptMails,
  ) {}

  @Get()
  @Endpoint({
    permission,
    operation: 'list_org_inbound_mails',
    summary: 'List the mails that mailboxes received',
    description: 'Includes why a mail became no ticket, for example because it is an automatic reply, and the text that it quoted.',
    returns: InboundMailDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: InboundMailsQuery): Promise<ListBody<InboundMailDto>> {
    return listBody(await this.store.page(ctx, InboundMailRow, query), InboundMailDto.from);
  }

  @Get(':id/raw')
  @Endpoint({
    permission,
    operation: 'download_org_inbound_mail',
    summary: 'Download a mail as it was received',
    description: 'Of mails that became no ticket, and of those with files that were left out, until raw_until_at.',
    returns: null,
    produces: { 'message/rfc822': 'The mail, with all headers.' },
  })
  raw(@Ctx() ctx: Ctx, @Id() id: string): Promise<FileResponse> {
    return this.kept.raw(ctx, id);
  }

  @Post(':id/ticket')
  @Endpoint({
    permission,
    operation: 'open_org_inbound_mail',
    summary: 'Convert a filed mail to a ticket',
    description:
      'A mail that answers a mail of a ticket becomes a message of that ticket. A mail that was converted before is returned as it is, ' +
      'so the call can be repeated. No confirmation is sent.',
    returns: InboundMailDto,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async open(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: OpenInboundMailDto): Promise<InboundMailDto> {
    return InboundMailDto.from(await this.kept.open(ctx, id, body.requester_email));
  }
}

import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, Store, type ListBody } from '../../kit/index.js';
import { MailRow } from './mail.entity.js';
import { MailDto, MailsQuery } from './mails.dto.js';

const permission = 'org.developer.mail.view';

@Controller('api/v1/org/developer/mail-outbox')
export class MailsController {
  constructor(private readonly store: Store) {}

  @Get()
  @Endpoint({
    operation: 'list_mails',
    summary: 'List mails',
    permission,
    returns: MailDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: MailsQuery): Promise<ListBody<MailDto>> {
    return listBody(await this.store.page(ctx, MailRow, query), (row) => MailDto.from(row, ctx.permissions));
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_mail',
    summary: 'Get a mail',
    permission,
    returns: MailDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<MailDto> {
    return MailDto.from(await this.store.get(ctx, MailRow, id), ctx.permissions);
  }
}

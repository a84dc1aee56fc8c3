import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, sql, Store, type Condition, type ListBody } from '../../kit/index.js';
import { MailOutbox } from './mail-outbox.js';
import { MailRow } from './mail.entity.js';
import { MailDto, MailsQuery, ResendMailsDto, ResentMailsDto, VIEW_MAILS } from './mails.dto.js';

const permission = VIEW_MAILS;
const send = 'org.developer.mail.send';

@Controller('api/v1/org/developer/mail-outbox')
export class MailsController {
  constructor(
    private readonly store: Store,
    private readonly outbox: MailOutbox,
  ) {}

  @Get()
  @Endpoint({
    operation: 'list_mails',
    summary: 'List mails',
    permission,
    returns: MailDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: MailsQuery): Promise<ListBody<MailDto>> {
    const readable = query.recipient === undefined ? [] : [readableBy(ctx)];
    return listBody(await this.store.page(ctx, MailRow, query, ...readable), (row) => MailDto.from(row, ctx));
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_mail',
    summary: 'Get a mail',
    permission,
    returns: MailDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<MailDto> {
    return MailDto.from(await this.store.get(ctx, MailRow, id), ctx);
  }

  @Post(':id/resend')
  @Endpoint({
    operation: 'resend_mail',
    summary: 'Send a mail again',
    permission: send,
    returns: MailDto,
    errors: [CommonErrors.resourceConflict],
    description: 'A mail that failed or was held is queued and tried for five days. Its content is shown to roles that may see mails.',
    openWorld: true,
  })
  async resend(@Ctx() ctx: Ctx, @Id() id: string): Promise<MailDto> {
    return MailDto.from(await this.outbox.resend(ctx, id), ctx);
  }

  @Post('resend')
  @Endpoint({
    operation: 'resend_failed_mails',
    summary: 'Send the mails again that failed because of the mail server',
    permission: send,
    returns: ResentMailsDto,
    errors: [CommonErrors.resourceConflict],
    description: 'Mails that a server rejected permanently are not sent again. With dry_run, only counts them.',
    openWorld: true,
  })
  async resendFailed(@Ctx() ctx: Ctx, @Body() { since, dry_run = false }: ResendMailsDto): Promise<ResentMailsDto> {
    return { object: 'resend', dry_run, count: await this.outbox.resendFailed(ctx, since, dry_run) };
  }
}

/** A search by recipient must not find hidden mails. It does find confidential ones, whose content is hidden anyway. */
function readableBy({ permissions, memberId }: Ctx): Condition {
  return sql`(t.permission IS NULL OR t.permission = ANY (${[...permissions]}::text[]))
    AND (t.only_reader_id IS NULL OR t.only_reader_id = ${memberId})`;
}

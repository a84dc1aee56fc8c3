import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, Store, type Condition, type ListBody } from '../../kit/index.js';
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
}

/** A search by recipient must not find hidden mails. It does find confidential ones, whose content is hidden anyway. */
function readableBy({ permissions, memberId }: Ctx): Condition {
  return {
    sql: `(t.permission IS NULL OR t.permission = ANY (:permissions::text[])) AND (t.only_reader_id IS NULL OR t.only_reader_id = :member)`,
    values: { permissions: [...permissions], member: memberId },
  };
}

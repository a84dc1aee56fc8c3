import { Controller, Get, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, Store, type Condition, type ListBody } from '../../kit/index.js';
import { LeadWebhookLogRow } from './lead-webhook-log.entity.js';
import { LeadWebhookLogDto, LeadWebhookLogsQuery, LeadWebhookLogWithBodyDto } from './lead-webhook-logs.dto.js';

const permission = 'org.developer.leadkeys.logs.view';

@Controller('api/v1/org/developer/lead-webhook-logs')
export class LeadWebhookLogsController {
  constructor(private readonly store: Store) {}

  @Get()
  @Endpoint({
    operation: 'list_lead_webhook_logs', summary: 'List requests to the lead webhook', permission, returns: LeadWebhookLogDto, list: true,
    description: 'Every request whose key was recognised, refused ones too, as soon as a second after it. Kept for 90 days.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: LeadWebhookLogsQuery): Promise<ListBody<LeadWebhookLogDto>> {
    return listBody(await this.store.page(ctx, LeadWebhookLogRow, query, ...conditionsOf(query)), LeadWebhookLogDto.from);
  }

  @Get(':id')
  @Endpoint({ operation: 'get_lead_webhook_log', summary: 'Get a request to the lead webhook with its body', permission, returns: LeadWebhookLogWithBodyDto, description: 'The log_id of an accepted submission leads here. After 30 days the body is masked.' })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<LeadWebhookLogWithBodyDto> {
    const row = await this.store.select(ctx, LeadWebhookLogRow, 't').addSelect('t.body').andWhere('t.id = :id', { id }).getOne();
    if (!row) throw CommonErrors.notFound();
    const { body, body_bytes, body_masked } = row;
    return { ...LeadWebhookLogDto.from(row), body, body_bytes, body_masked };
  }
}

function conditionsOf({ ambiguous }: LeadWebhookLogsQuery): Condition[] {
  return ambiguous === undefined ? [] : [{ sql: `(cardinality(t.candidate_ids) > 1) = :ambiguous`, values: { ambiguous } }];
}

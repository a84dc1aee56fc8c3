import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, own, sql, Store, table, type Condition, type ListBody } from '../../../kit/index.js';
import { LeadWebhookLogRow } from './lead-webhook-log.entity.js';
import { LeadWebhookLogDto, LeadWebhookLogsQuery, LeadWebhookLogWithBodyDto } from './lead-webhook-logs.dto.js';

const permission = 'org.developer.leadkeys.logs.view';

@Controller('api/v1/org/developer/lead-webhook-logs')
export class LeadWebhookLogsController {
  constructor(private readonly store: Store) {}

  @Get()
  @Endpoint({
    operation: 'list_lead_webhook_logs',
    summary: 'List requests to the lead webhook',
    permission,
    returns: LeadWebhookLogDto,
    list: true,
    description: 'Every request with a known key, including rejected ones, within about a second. Kept for 90 days.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: LeadWebhookLogsQuery): Promise<ListBody<LeadWebhookLogDto>> {
    return listBody(await this.store.page(ctx, LeadWebhookLogRow, query, ...conditionsOf(query)), LeadWebhookLogDto.from);
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_lead_webhook_log',
    summary: 'Get a request to the lead webhook with its body',
    permission,
    returns: LeadWebhookLogWithBodyDto,
    description: 'The id is the log_id of an accepted submission. The body is masked after 30 days.',
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<LeadWebhookLogWithBodyDto> {
    const row = await this.store.get(ctx, LeadWebhookLogRow, id);
    // bodies are large, so no other read loads them; the row may have been erased meanwhile
    const [found] = await this.store
      .reader(ctx)
      .sql<{ body: string | null }>(sql`SELECT l.body FROM ${table(LeadWebhookLogRow)} l WHERE ${own('l')} AND l.id = ${row.id}`);
    const { body_bytes, body_masked } = row;
    return { ...LeadWebhookLogDto.from(row), body: found?.body ?? null, body_bytes, body_masked };
  }
}

function conditionsOf({ ambiguous }: LeadWebhookLogsQuery): Condition[] {
  return ambiguous === undefined ? [] : [sql`(cardinality(t.candidate_ids) > 1) = ${ambiguous}`];
}

import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id } from '../../../../kit/index.js';
import { BulkSendDto, BulkSendProgressDto, CreateBulkSendDto } from './bulk-send.dto.js';
import { BulkSends } from './bulk-sends.service.js';

@Controller('/api/v1/ext/papers/bulk-sends')
export class BulkSendsController {
  constructor(private readonly bulkSends: BulkSends) {}

  @Post()
  @Endpoint({
    scope: 'papers:workflow:act',
    operation: 'create_bulk_send',
    summary: 'Send a document to many recipients',
    description: 'Creates, finalizes and sends a document for each row in the background: poll get_bulk_send.',
    returns: BulkSendDto,
    status: 202,
    requiresActor: true,
    openWorld: true,
    errors: [CommonErrors.permissionDenied],
    member: { permission: 'papers.document.manage' },
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateBulkSendDto): Promise<BulkSendDto> {
    return BulkSendDto.from(await this.bulkSends.create(ctx, body));
  }

  @Get(':id')
  @Endpoint({
    scope: 'papers:document:read',
    operation: 'get_bulk_send',
    summary: 'Get a bulk send',
    returns: BulkSendProgressDto,
    member: { permission: 'papers.document.view' },
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<BulkSendProgressDto> {
    return BulkSendProgressDto.of(await this.bulkSends.get(ctx, id), await this.bulkSends.rows(ctx, id));
  }
}

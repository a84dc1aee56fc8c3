import { Controller, Delete, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, RESTORABLE_DAYS, type ListBody } from '../../kit/index.js';
import { BinService } from './bin.service.js';
import { DeletedRecordDto, DeletedRecordsQuery } from './deleted-records.dto.js';

@Controller('api/v1/org/deleted-records')
export class DeletedRecordsController {
  constructor(private readonly bin: BinService) {}

  @Get()
  @Endpoint({
    operation: 'list_org_deleted_records',
    summary: 'List deleted records',
    description: `What was deleted in the last ${RESTORABLE_DAYS} days, of the resources that you may delete.`,
    permission: null,
    returns: DeletedRecordDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DeletedRecordsQuery): Promise<ListBody<DeletedRecordDto>> {
    const { page, of } = await this.bin.page(ctx, query);
    return listBody(page, (row) => DeletedRecordDto.from(row, of.get(row.resource)!));
  }

  @Delete(':id')
  @Endpoint({
    operation: 'erase_org_deleted_record',
    summary: 'Erase a deleted record',
    description: 'It cannot be restored afterwards. Use it for personal data that must not be kept.',
    permission: null,
    returns: null,
  })
  erase(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.bin.erase(ctx, id);
  }
}

import { Controller, Post, Query } from '@nestjs/common';
import {
  CommonErrors,
  csvUpload,
  Ctx,
  Endpoint,
  IMPORT_LIMITS,
  ImportQuery,
  MoneyImportQuery,
  Upload,
  Uploaded,
} from '../../../kit/index.js';
import { CountImport } from './count-import.service.js';
import { InventoryImportDto } from './imports.dto.js';
import { ItemImport } from './item-import.service.js';
import { InventoryEvents } from '../resources/inventory.events.js';

const member = { permission: 'inventory.stock.manage' };
const ROWS =
  'Rows with errors are skipped and reported. Give each row an external_id: then a file that is sent again imports nothing twice.';

@Controller('/api/v1/ext/inventory/imports')
export class InventoryImportsController {
  constructor(
    private readonly items: ItemImport,
    private readonly counts: CountImport,
  ) {}

  @Post('items')
  @Endpoint({
    scope: 'inventory:item:write',
    operation: 'import_items',
    summary: 'Create items from a CSV file',
    description: `Columns are the fields of create_item, apart from units. ${ROWS}`,
    member,
    returns: InventoryImportDto,
    upload: csvUpload('Items.', 'sku,name,external_id\nCHAIR-01,Office chair,erp-4711\n'),
    bodyLimit: IMPORT_LIMITS.bytes,
    errors: [CommonErrors.duplicate],
    emits: [InventoryEvents.itemCreated],
  })
  importItems(@Ctx() ctx: Ctx, @Query() query: ImportQuery, @Uploaded() upload: Upload): Promise<InventoryImportDto> {
    return this.items.run(ctx, upload, query);
  }

  @Post('counts')
  @Endpoint({
    scope: 'inventory:stock:write',
    operation: 'import_stock_counts',
    summary: 'Record counts from a CSV file',
    description:
      'Columns: sku, location (a code), quantity; optionally unit, lot, expires_on, cost_amount, reason, reference, external_id, ' +
      `occurred_at, expected_on_hand. ${ROWS}`,
    member,
    returns: InventoryImportDto,
    upload: csvUpload('Counts.', 'sku,location,quantity,external_id\nCHAIR-01,MAIN,40,count-1\n'),
    bodyLimit: IMPORT_LIMITS.bytes,
    errors: [CommonErrors.duplicate],
    emits: [InventoryEvents.stockMoved, InventoryEvents.reservationEnded, InventoryEvents.stockLow, InventoryEvents.reorderDue],
  })
  importCounts(@Ctx() ctx: Ctx, @Query() query: MoneyImportQuery, @Uploaded() upload: Upload): Promise<InventoryImportDto> {
    return this.counts.run(ctx, upload, query);
  }
}

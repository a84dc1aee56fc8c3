import { Injectable } from '@nestjs/common';
import { pickOf, Projects, Store, type Ctx, type Tx, importResult, readImport, refusalOf } from '../../../kit/index.js';
import { newItem } from '../items/item-rules.js';
import { CreateInventoryItemDto } from '../items/items.dto.js';
import { ItemsService } from '../items/items.service.js';
import { duplicateOf } from '../model/inventory.errors.js';
import type { InventoryImportDto, InventoryImportQuery } from './imports.dto.js';

/** The columns of a file. */
class ItemRowDto extends pickOf(CreateInventoryItemDto, [
  'sku',
  'name',
  'description',
  'unit',
  'quantity_scale',
  'tracking',
  'valuation_method',
  'reorder_point',
  'reorder_quantity',
  'barcode',
  'external_id',
  'active',
]) {}

/** Creates items from a file. Rows whose SKU or external id exists are rejected, so a file can be sent again. */
@Injectable()
export class ItemImport {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly items: ItemsService,
  ) {}

  async run(ctx: Ctx, file: Buffer, { project_id, dry_run = false }: InventoryImportQuery): Promise<InventoryImportDto> {
    const read = await readImport(ItemRowDto, file);
    const project = await this.projects.resolve(ctx, project_id);
    await this.store.write(ctx, async (tx) => {
      const currency = await this.items.currencyOf(ctx, tx, project.id);
      const values = read.valid.map(({ value }) => value);
      const taken = await takenBy(ctx, tx, project.id, values);
      for (const { row, value } of read.valid) {
        try {
          const { sku, external_id } = value;
          const keys = [...(external_id ? [keyOf('external_id', external_id)] : []), keyOf('sku', sku)];
          const key = keys.find((one) => taken.has(one));
          if (key !== undefined) {
            const param = key === keyOf('sku', sku) ? 'sku' : 'external_id';
            throw duplicateOf(param, param === 'sku' ? sku : (external_id as string), taken.get(key) as string);
          }
          const fields = newItem(value);
          for (const one of keys) taken.set(one, `row ${row} of the file`);
          if (!dry_run) await this.items.insert(ctx, tx, project.id, currency, fields);
        } catch (error) {
          read.errors.push(refusalOf(row, error));
        }
      }
    });
    return { object: 'inventory_import', ...importResult(read, dry_run) };
  }
}

/** Existing items with SKUs or external ids of the rows. */
async function takenBy(ctx: Ctx, tx: Tx, projectId: string, rows: readonly ItemRowDto[]): Promise<Map<string, string>> {
  const found = await tx.query<{ id: string; sku: string; external_id: string | null }>(
    `SELECT id, sku, external_id FROM inventory_items
     WHERE organization_id = $1 AND project_id = $2 AND mode = $3 AND (lower(sku) = ANY($4) OR external_id = ANY($5))`,
    [
      ctx.organizationId,
      projectId,
      ctx.mode,
      rows.map(({ sku }) => sku.toLowerCase()),
      rows.flatMap(({ external_id }) => external_id ?? []),
    ],
  );
  return new Map(
    found.flatMap(({ id, sku, external_id }) => [
      [keyOf('sku', sku), id],
      ...(external_id === null ? [] : [[keyOf('external_id', external_id), id] as [string, string]]),
    ]),
  );
}

function keyOf(param: 'sku' | 'external_id', value: string): string {
  return `${param} ${param === 'sku' ? value.toLowerCase() : value}`;
}

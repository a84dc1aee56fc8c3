import { Injectable } from '@nestjs/common';
import {
  CustomFieldCatalog,
  importResult,
  own,
  pickOf,
  Projects,
  readImport,
  refusalOf,
  sql,
  Store,
  table,
  writeRows,
  type CsvSource,
  type Ctx,
  type ImportQuery,
  type Tx,
  type ValidRow,
} from '../../../kit/index.js';
import { newItem } from '../items/item-rules.js';
import { InventoryItem } from '../model/item.entity.js';
import { ItemsService } from '../items/items.service.js';
import { duplicateOf } from '../model/inventory.errors.js';
import { CreateInventoryItemDto } from '../resources/item.dto.js';
import type { InventoryImportDto } from './imports.dto.js';
import { knownSkus, type KnownSku } from './skus.js';

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
  'custom_fields',
]) {}

/** Creates items from a file. Rows whose SKU or external id exists are rejected, so a file can be sent again. */
@Injectable()
export class ItemImport {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly items: ItemsService,
    private readonly customFields: CustomFieldCatalog,
  ) {}

  async run(ctx: Ctx, file: CsvSource, query: ImportQuery): Promise<InventoryImportDto> {
    const { project_id, dry_run: isDryRun = false } = query;
    const project = await this.projects.resolve(ctx, project_id);
    const customFields = await this.customFields.columns(ctx, 'inventory_item', project.id);
    const read = await readImport(ItemRowDto, file, { ...query, customFields });
    await this.store.write(ctx, async (tx) => {
      const currency = await this.items.currencyOf(tx, project.id);
      const values = read.valid.map(({ value }) => value);
      const skus = values.map(({ sku }) => sku);
      const known = await knownSkus(tx, project.id, skus);
      const bySku = new Map([...known.values()].flatMap(({ key, itemId }) => (itemId === null ? [] : [[key, itemId]])));
      const byExternalId = await itemsWith(tx, project.id, 'external_id', values);
      const byBarcode = await itemsWith(tx, project.id, 'barcode', values);
      const create = async ({ value }: ValidRow<ItemRowDto>, again: boolean) => {
        const { sku, external_id, barcode } = value;
        if (again) {
          for (const { key, itemId } of (await knownSkus(tx, project.id, [sku])).values()) if (itemId !== null) bySku.set(key, itemId);
          for (const [id, itemId] of await itemsWith(tx, project.id, 'external_id', [value])) byExternalId.set(id, itemId);
          for (const [code, itemId] of await itemsWith(tx, project.id, 'barcode', [value])) byBarcode.set(code, itemId);
        }
        const { key } = known.get(sku) as KnownSku;
        const existing = external_id ? byExternalId.get(external_id) : undefined;
        if (external_id && existing !== undefined) throw duplicateOf('external_id', external_id, existing);
        const same = bySku.get(key);
        if (same !== undefined) throw duplicateOf('sku', sku, same);
        const scanned = barcode ? byBarcode.get(barcode) : undefined;
        if (barcode && scanned !== undefined) throw duplicateOf('barcode', barcode, scanned);
        await this.items.insert(ctx, tx, project.id, currency, newItem(value), value.custom_fields);
      };
      await writeRows(tx, read.valid, create, {
        isDryRun,
        together: true,
        // only what was written is taken
        onWritten: ({ row, value: { sku, external_id, barcode } }) => {
          bySku.set((known.get(sku) as KnownSku).key, `row ${row} of the file`);
          if (external_id) byExternalId.set(external_id, `row ${row} of the file`);
          if (barcode) byBarcode.set(barcode, `row ${row} of the file`);
        },
        onRefusal: ({ row }, error) => read.errors.push(refusalOf(row, error)),
      });
    });
    return { object: 'inventory_import', ...importResult(read, isDryRun) };
  }
}

const KEYS = { external_id: sql`i.external_id`, barcode: sql`i.barcode` } as const;

/** The items that have values of the rows already, by value. */
async function itemsWith(
  tx: Tx,
  projectId: string,
  column: 'external_id' | 'barcode',
  rows: readonly ItemRowDto[],
): Promise<Map<string, string>> {
  const found = await tx.sql<{ id: string; value: string }>(
    sql`SELECT i.id, ${KEYS[column]} AS value FROM ${table(InventoryItem)} i
      WHERE ${own('i')} AND i.project_id = ${projectId} AND ${KEYS[column]} = ANY(${rows.flatMap((row) => row[column] ?? [])})`,
  );
  return new Map(found.map(({ id, value }) => [value, id]));
}

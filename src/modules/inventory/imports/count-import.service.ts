import { Injectable } from '@nestjs/common';
import {
  dryRun,
  Field,
  importResult,
  notOfProject,
  pickOf,
  Projects,
  readImport,
  refusalOf,
  Store,
  type CsvSource,
  type Ctx,
  type ImportRowErrorDto,
  type MoneyImportQuery,
  type ValidRow,
} from '../../../kit/index.js';
import { InventoryConfig, type ProjectInventory } from '../config/inventory-config.js';
import { invalid } from '../model/inventory.errors.js';
import type { MovementLine } from '../movements/movement-lines.js';
import { MovementsService } from '../movements/movements.service.js';
import { MovementLotDto, RecordStockMovementDto } from '../resources/movement.dto.js';
import type { InventoryImportDto } from './imports.dto.js';
import { knownSkus, type KnownSku } from './skus.js';

/** A row of a file of counts: the quantity of an item at a location. */
class CountRowDto extends pickOf(RecordStockMovementDto, [
  'quantity',
  'unit',
  'cost_amount',
  'reason',
  'reference',
  'external_id',
  'occurred_at',
  'expected_on_hand',
]) {
  @Field.string({
    description: 'SKU of the item.',
    example: 'CHAIR-01',
    maxLength: 64,
  })
  sku: string;

  @Field.string({
    description: 'Code of the location.',
    example: 'MAIN',
    maxLength: 32,
  })
  location: string;

  @Field.string({
    description: 'Code of the lot, or serial number.',
    example: 'L-1',
    maxLength: 64,
    required: false,
  })
  lot?: string;

  @Field.date({
    description: 'The last day of use of the lot.',
    example: '2027-03-31',
    required: false,
  })
  expires_on?: string;
}

interface Line extends MovementLine {
  row: number;
}

/** The number of items whose stock is locked and read at once. */
const LINES_AT_ONCE = 100;

/** Records counts from a file. Rows whose external id exists are rejected, so a file can be sent again. */
@Injectable()
export class CountImport {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: InventoryConfig,
    private readonly movements: MovementsService,
  ) {}

  async run(ctx: Ctx, file: CsvSource, query: MoneyImportQuery): Promise<InventoryImportDto> {
    const { project_id, dry_run = false } = query;
    const project = await this.projects.resolve(ctx, project_id);
    const read = await readImport(CountRowDto, file, { ...query, timezone: project.timezone }, (rows) =>
      this.store.write(ctx, async (tx) => {
        const skus = rows.map(({ sku = '' }) => sku);
        const known = await knownSkus(tx, project.id, skus);
        return skus.map((sku) => known.get(sku)?.currency ?? null);
      }),
    );
    await this.store.write(ctx, async (tx) => {
      const config = await this.config.of(tx, project.id);
      const skus = read.valid.map(({ value }) => value.sku);
      const known = await knownSkus(tx, project.id, skus);
      const lines: Line[] = [];
      for (const valid of read.valid) {
        try {
          lines.push(lineOf(valid, known, config));
        } catch (error) {
          read.errors.push(refusalOf(valid.row, error));
        }
      }
      // rows of an item stay in their order; items are locked in the order of their ids, as everywhere
      lines.sort((a, b) => (a.body.item_id < b.body.item_id ? -1 : a.body.item_id > b.body.item_id ? 1 : 0));
      const record = async () => {
        const errors: ImportRowErrorDto[] = [];
        for (let start = 0; start < lines.length; start += LINES_AT_ONCE) {
          const chunk = lines.slice(start, start + LINES_AT_ONCE);
          const results = await this.movements.recordIn(ctx, tx, chunk, { atomic: false });
          for (const [index, result] of results.entries())
            if ('error' in result) errors.push({ row: chunk[index].row, ...shownError(result.error) });
        }
        return errors;
      };
      read.errors.push(...(await (dry_run ? dryRun(tx, record) : record())));
    });
    return { object: 'inventory_import', ...importResult(read, dry_run) };
  }
}

function shownError({ code, param, message }: { code: string; param: string | null; message: string }) {
  // the name of the column instead of the movement's field
  const column = param === 'lot.code' ? 'lot' : param === 'lot.expires_on' ? 'expires_on' : param;
  return { code, param: column, message };
}

function lineOf({ row, value }: ValidRow<CountRowDto>, known: ReadonlyMap<string, KnownSku>, { locations }: ProjectInventory): Line {
  const { sku, location, lot, expires_on, ...fields } = value;
  const item_id = known.get(sku)?.itemId;
  if (!item_id) throw notOfProject('sku', `must be the SKU of an item of the project: ${sku}`);
  const place = locations.find(({ code }) => code.toLowerCase() === location.toLowerCase());
  if (!place)
    throw invalid(
      'location',
      'must be the code of a location',
      locations.map(({ code }) => code),
    );
  if (lot === undefined && expires_on !== undefined) throw invalid('expires_on', 'is only for rows with a lot');
  const named: MovementLotDto | undefined = lot === undefined ? undefined : { code: lot, expires_on };
  return { row, param: '', body: { ...fields, kind: 'count', item_id, location_id: place.id, lot: named } };
}

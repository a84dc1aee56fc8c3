import { plainDecimal } from '../../../kit/index.js';
import { InventoryErrors, invalid } from '../model/inventory.errors.js';
import type { InventoryItem } from '../model/item.entity.js';
import { isWithinScale, quantityOf } from '../model/quantities.js';
import type { CreateInventoryItemDto } from '../resources/item.dto.js';

/** The fields of an item that rules apply to. */
export type ItemFields = Pick<
  InventoryItem,
  'unit' | 'units' | 'quantity_scale' | 'tracking' | 'valuation_method' | 'reorder_point' | 'reorder_quantity'
>;

/** The fields of a new item. */
export type NewItem = ItemFields & Pick<InventoryItem, 'sku' | 'name' | 'description' | 'barcode' | 'external_id' | 'active'>;

/** The fields of a new item, with defaults; rejects those that contradict each other. */
export function newItem(body: Omit<CreateInventoryItemDto, 'project_id'>): NewItem {
  const fields: NewItem = {
    sku: body.sku,
    name: body.name,
    description: body.description ?? null,
    unit: body.unit ?? 'pcs',
    units: body.units ?? [],
    quantity_scale: body.quantity_scale ?? 0,
    tracking: body.tracking ?? 'none',
    valuation_method: body.valuation_method ?? 'average',
    reorder_point: body.reorder_point ?? null,
    reorder_quantity: body.reorder_quantity ?? null,
    barcode: body.barcode ?? null,
    external_id: body.external_id ?? null,
    active: body.active ?? true,
  };
  requireConsistent(fields);
  return fields;
}

/** Fields that decide how stock is counted and valued. They cannot change once the item has moved. */
const FIXED = ['unit', 'quantity_scale', 'tracking', 'valuation_method'] as const;

/** Rejects fields that contradict each other. */
export function requireConsistent({ unit, units, quantity_scale, tracking, reorder_point, reorder_quantity }: ItemFields): void {
  if (tracking === 'serial' && quantity_scale !== 0)
    throw invalid('quantity_scale', 'must be 0, because pieces with serial numbers cannot be divided');
  const codes = [unit];
  for (const [index, { code }] of units.entries()) {
    if (codes.includes(code)) throw invalid(`units.${index}.code`, `must not repeat a unit: ${code}`);
    codes.push(code);
  }
  for (const [param, quantity] of Object.entries({ reorder_point, reorder_quantity }))
    if (quantity !== null && !isWithinScale(quantityOf(quantity), quantity_scale))
      throw invalid(param, `must have at most ${quantity_scale} decimal places, as quantity_scale says`);
}

/** Whether a change needs to know if the item has moved. */
export function changesFixed(item: ItemFields, changed: ItemFields): boolean {
  return FIXED.some((name) => item[name] !== changed[name]);
}

export function requireUnmoved(item: ItemFields, changed: ItemFields, hasMoved: boolean): void {
  const param = FIXED.find((name) => item[name] !== changed[name]);
  if (hasMoved && param !== undefined)
    throw InventoryErrors.itemInUse({ param, message: `${param} is fixed, because the item has moved; create another item instead.` });
}

export function sameDecimal(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && plainDecimal(a) === plainDecimal(b));
}

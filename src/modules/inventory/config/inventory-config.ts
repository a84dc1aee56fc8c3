import { Injectable } from '@nestjs/common';
import { CachedProjectConfig, notOneOf, Store, type RowReader } from '../../../kit/index.js';
import { InventorySettings } from '../model/inventory-settings.entity.js';
import { invalid } from '../model/inventory.errors.js';
import { StockLocation } from '../model/location.entity.js';
import { StockReason } from '../model/reason.entity.js';

/** The inventory's configuration of one project. */
export interface ProjectInventory {
  /** In their order. */
  locations: readonly StockLocation[];
  reasons: readonly StockReason[];
  currency: string;
}

/** An error lists at most this many codes of reasons. */
const MOST_LISTED = 20;

/** The configuration of projects, cached in memory. Foreign keys reject references to rows that were deleted in the meantime. */
@Injectable()
export class InventoryConfig extends CachedProjectConfig<ProjectInventory> {
  constructor(store: Store) {
    super(store, 'inventory configuration');
  }

  protected async load(rows: RowReader, project_id: string): Promise<ProjectInventory> {
    const [locations, reasons, settings] = await Promise.all([
      rows.list(StockLocation, { project_id }),
      rows.list(StockReason, { project_id }),
      rows.list(InventorySettings, { project_id }),
    ]);
    return { locations: inOrder(locations), reasons, currency: settings[0].currency };
  }
}

/** The location with this id; `isUsable` may restrict what the caller can choose. */
export function requireLocation(
  { locations }: ProjectInventory,
  param: string,
  id: string,
  isUsable: (location: StockLocation) => boolean = () => true,
): StockLocation {
  const usable = locations.filter(isUsable);
  const found = usable.find((location) => location.id === id);
  if (found) return found;
  const isInactive = locations.some((location) => location.id === id);
  const message = isInactive ? 'must be an active location' : "must be a location of the item's project";
  throw notOneOf(param, message, usable, 'code');
}

export function isActive({ active }: StockLocation): boolean {
  return active;
}

export function requireReason({ reasons }: ProjectInventory, param: string, code: string): void {
  const usable = reasons.filter(({ active }) => active).map((reason) => reason.code);
  if (!usable.includes(code)) throw invalid(param, `must be the code of a reason: ${usable.slice(0, MOST_LISTED).join(', ')}`, usable);
}

function inOrder(locations: StockLocation[]): StockLocation[] {
  return locations.sort((a, b) => a.position - b.position || (a.code < b.code ? -1 : 1));
}

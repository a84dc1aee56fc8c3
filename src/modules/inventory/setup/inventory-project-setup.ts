import { Injectable } from '@nestjs/common';
import type { Project, ProjectSetup, Tx } from '../../../kit/index.js';
import { InventorySettings } from '../model/inventory-settings.entity.js';
import { StockLocation } from '../model/location.entity.js';
import { StockReason } from '../model/reason.entity.js';

const DEFAULT_LOCATIONS = [
  { code: 'MAIN', name: 'Main warehouse', sellable: true },
  { code: 'QUARANTINE', name: 'Quarantine', sellable: false },
];

const DEFAULT_REASONS = [
  { code: 'purchase', name: 'Purchase' },
  { code: 'sale', name: 'Sale' },
  { code: 'return', name: 'Return' },
  { code: 'stocktake', name: 'Stocktake' },
  { code: 'damage', name: 'Damaged' },
  { code: 'loss', name: 'Lost' },
  { code: 'expiry', name: 'Expired' },
];

/** Creates the locations, reasons and settings of a new project. */
@Injectable()
export class InventoryProjectSetup implements ProjectSetup {
  async setUpProject(tx: Tx, { id: project_id }: Project): Promise<void> {
    await tx.insert(InventorySettings, { project_id, currency: 'EUR' });
    for (const [index, location] of DEFAULT_LOCATIONS.entries())
      await tx.insert(StockLocation, { ...location, project_id, position: index + 1 });
    for (const reason of DEFAULT_REASONS) await tx.insert(StockReason, { ...reason, project_id });
  }
}

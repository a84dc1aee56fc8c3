import { rowKey } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';

export const ITEM_SKU = rowKey(InventoryItem, 'sku', { example: 'CHAIR-01', title: 'name' });

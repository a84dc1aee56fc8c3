import type { EventTriggers, TriggerStep } from '../../kit/index.js';

const ITEM: TriggerStep = { call: 'create_item', body: { sku: 'TRG-{unique}', name: 'Triggered {unique}' }, as: 'item' };
const RECEIVE: readonly TriggerStep[] = [
  ITEM,
  { call: 'list_stock_locations', query: { project_id: '{item.project_id}' }, as: 'locations' },
  {
    call: 'record_stock_movement',
    body: { kind: 'receipt', item_id: '{item.id}', location_id: '{locations.data.0.id}', quantity: '10' },
  },
];
const RESERVE: readonly TriggerStep[] = [
  ...RECEIVE,
  { call: 'create_stock_reservation', body: { item_id: '{item.id}', quantity: '2', reference: 'trigger-{unique}' }, as: 'reservation' },
];
const TRANSFER: readonly TriggerStep[] = [
  ...RECEIVE,
  {
    call: 'transfer_stock',
    body: {
      from_location_id: '{locations.data.0.id}',
      to_location_id: '{locations.data.1.id}',
      lines: [{ item_id: '{item.id}', quantity: '3' }],
      in_transit: true,
    },
  },
];
const RUN_LOW: readonly TriggerStep[] = [
  ...RECEIVE,
  { call: 'update_item', params: { id: '{item.id}' }, body: { reorder_point: '5' } },
  {
    call: 'record_stock_movement',
    body: { kind: 'issue', item_id: '{item.id}', location_id: '{locations.data.0.id}', quantity: '7' },
  },
];

/** How `work-suite trigger` causes the events of the inventory. */
export const INVENTORY_TRIGGERS: EventTriggers = {
  'item.created': [ITEM],
  'item.updated': [ITEM, { call: 'update_item', params: { id: '{item.id}' }, body: { name: 'Changed {unique}' } }],
  'stock.moved': RECEIVE,
  'stock.low': RUN_LOW,
  'stock_transfer.status_changed': TRANSFER,
  'stock_reservation.created': RESERVE,
  'stock_reservation.ended': [...RESERVE, { call: 'release_stock_reservation', params: { id: '{reservation.id}' } }],
};

export const RESERVATION_STATUSES = ['active', 'consumed', 'released', 'expired'] as const;
export type ReservationStatus = (typeof RESERVATION_STATUSES)[number];

/**
 * Where the cost of stock that enters comes from: the request, the issue that is taken back, the average of the present stock, or nowhere,
 * because no cost was sent and the present stock has no value.
 */
export const COST_SOURCES = ['sent', 'issue', 'stock', 'none'] as const;
export type CostSource = (typeof COST_SOURCES)[number];

export const TRANSFER_STATUSES = ['in_transit', 'partially_received', 'received', 'cancelled'] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

export type TransferTrigger = 'transfer' | 'receive' | 'cancel';

/** The transitions of each trigger, by status; null is a transfer that does not exist yet. */
const TRANSFER_MOVES: Readonly<Record<TransferTrigger, ReadonlyMap<TransferStatus | null, readonly TransferStatus[]>>> = {
  transfer: new Map([[null, ['in_transit', 'received']]]),
  receive: new Map([
    ['in_transit', ['partially_received', 'received']],
    ['partially_received', ['partially_received', 'received']],
  ]),
  cancel: new Map([['in_transit', ['cancelled']]]),
};

/** The statuses to which the trigger can lead from a status; empty if it is not possible there. */
export function transferMoves(trigger: TransferTrigger, from: TransferStatus | null): readonly TransferStatus[] {
  return TRANSFER_MOVES[trigger].get(from) ?? [];
}

/** The statuses in which the trigger is possible. */
export function transferSources(trigger: TransferTrigger): TransferStatus[] {
  return [...TRANSFER_MOVES[trigger].keys()].filter((status) => status !== null);
}

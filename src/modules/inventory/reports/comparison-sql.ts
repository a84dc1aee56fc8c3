import { own, sql, table, type Sql } from '../../../kit/index.js';
import { CostLayer } from '../model/cost-layer.entity.js';
import { InventoryItem } from '../model/item.entity.js';
import { StockLot } from '../model/lot.entity.js';
import { StockLotLevel } from '../model/lot-level.entity.js';
import { StockMovement } from '../model/movement.entity.js';
import { StockReservation } from '../model/reservation.entity.js';
import { StockLevel } from '../model/stock-level.entity.js';
import { StockTotal } from '../model/stock-total.entity.js';
import { StockTransfer } from '../model/transfer.entity.js';
import { StockTransferLine } from '../model/transfer-line.entity.js';

/** A comparison reports at most this many; it finds the others once these are resolved. */
export const MOST_DIFFERENCES = 1_000;

/**
 * The figures of a project that differ from what movements, reservations and transfers add up to, in one snapshot. Sums are joined, never
 * looked up for each row: a project may have a million items. What a row lacks is
 * zero, and the sums of levels and lots find rows that are gone.
 */
export function differences(projectId: string): Sql {
  const of = {
    m: sql`${own('m')} AND m.project_id = ${projectId}`,
    r: sql`${own('r')} AND r.project_id = ${projectId}`,
    q: sql`${own('q')} AND q.project_id = ${projectId}`,
    l: sql`${own('l')} AND l.project_id = ${projectId}`,
    c: sql`${own('c')} AND c.project_id = ${projectId}`,
    i: sql`${own('i')} AND i.project_id = ${projectId}`,
  };
  return sql`
  WITH moved AS (
    SELECT m.item_id, m.location_id, sum(m.change) AS quantity, sum(m.cost_amount) AS cost FROM ${table(StockMovement)} m
    WHERE ${of.m} GROUP BY 1, 2
  ), lot_moved AS (
    SELECT (part ->> 'lot_id')::uuid AS lot_id, m.item_id, m.location_id, sum((part ->> 'change')::numeric) AS quantity
    FROM ${table(StockMovement)} m CROSS JOIN LATERAL jsonb_array_elements(m.lots) AS part
    WHERE ${of.m} AND m.lot_ids <> '{}' GROUP BY 1, 2, 3
  ), kept AS (
    SELECT r.item_id, r.location_id, sum(r.quantity - r.consumed_quantity) AS quantity FROM ${table(StockReservation)} r
    WHERE ${of.r} AND r.status = 'active' GROUP BY 1, 2
  ), expired AS (
    SELECT q.item_id, q.location_id, sum(q.quantity) AS quantity FROM ${table(StockLotLevel)} q JOIN ${table(StockLot)} l ON l.id = q.lot_id
    WHERE ${of.q} AND l.expired GROUP BY 1, 2
  ), sent AS (
    SELECT l.item_id, l.lot_id, sum(l.quantity - l.received_quantity - l.lost_quantity) AS quantity
    FROM ${table(StockTransferLine)} l JOIN ${table(StockTransfer)} t ON t.id = l.transfer_id
    WHERE ${of.l} AND t.status IN ('in_transit', 'partially_received') GROUP BY 1, 2
  ), level_figures AS (
    SELECT l.item_id, f.* FROM ${table(StockLevel)} l LEFT JOIN moved USING (item_id, location_id)
      LEFT JOIN kept USING (item_id, location_id) LEFT JOIN expired USING (item_id, location_id)
      CROSS JOIN LATERAL (VALUES
        ('level_on_hand', l.id, l.on_hand, moved.quantity),
        ('level_reserved', l.id, l.reserved, kept.quantity),
        ('level_held', l.id, l.held, expired.quantity)
      ) AS f (subject, subject_id, stored, computed) WHERE ${of.l}
  ), lot_figures AS (
    SELECT q.item_id, 'lot_quantity', q.id, q.quantity, lot_moved.quantity
      FROM ${table(StockLotLevel)} q LEFT JOIN lot_moved USING (lot_id, location_id) WHERE ${of.q}
    UNION ALL SELECT l.item_id, f.* FROM ${table(StockLot)} l
      LEFT JOIN (SELECT lot_id, sum(quantity) AS quantity FROM lot_moved GROUP BY 1) AS moved_of ON moved_of.lot_id = l.id
      LEFT JOIN (SELECT lot_id, sum(quantity) AS quantity FROM sent GROUP BY 1) AS sent_of ON sent_of.lot_id = l.id
      CROSS JOIN LATERAL (VALUES
        ('lot_on_hand', l.id, l.on_hand, moved_of.quantity),
        ('lot_in_transit', l.id, l.in_transit, sent_of.quantity)
      ) AS f WHERE ${of.l}
  ), item_figures AS (
    SELECT i.id, f.subject, i.id, f.stored, f.computed FROM ${table(InventoryItem)} i LEFT JOIN ${table(StockTotal)} s ON s.id = i.id
      LEFT JOIN (SELECT item_id, sum(quantity) AS quantity, sum(cost) AS cost FROM moved GROUP BY 1) AS moved_of ON moved_of.item_id = i.id
      LEFT JOIN (SELECT item_id, sum(quantity) AS quantity FROM lot_moved GROUP BY 1) AS lot_moved_of ON lot_moved_of.item_id = i.id
      LEFT JOIN (SELECT item_id, sum(quantity) AS quantity FROM kept GROUP BY 1) AS kept_of ON kept_of.item_id = i.id
      LEFT JOIN (SELECT item_id, sum(quantity) AS quantity FROM expired GROUP BY 1) AS expired_of ON expired_of.item_id = i.id
      LEFT JOIN (SELECT item_id, sum(quantity) AS quantity FROM sent GROUP BY 1) AS sent_of ON sent_of.item_id = i.id
      LEFT JOIN (SELECT l.item_id, sum(l.on_hand) AS quantity FROM ${table(StockLevel)} l WHERE ${of.l} GROUP BY 1) AS levels_of
        ON levels_of.item_id = i.id
      LEFT JOIN (SELECT q.item_id, sum(q.quantity) AS quantity FROM ${table(StockLotLevel)} q WHERE ${of.q} GROUP BY 1) AS lots_of
        ON lots_of.item_id = i.id
      LEFT JOIN (SELECT c.item_id, sum(c.remaining) AS quantity, sum(c.remaining_amount) AS cost FROM ${table(CostLayer)} c
        WHERE ${of.c} AND c.remaining > 0 GROUP BY 1) AS layers_of ON layers_of.item_id = i.id
      CROSS JOIN LATERAL (VALUES
        ('item_on_hand', s.on_hand, moved_of.quantity),
        ('item_reserved', s.reserved, kept_of.quantity),
        ('item_held', s.held, expired_of.quantity),
        ('item_incoming', s.incoming, sent_of.quantity),
        ('item_value', s.value_amount, moved_of.cost),
        ('level_sum', levels_of.quantity, moved_of.quantity),
        ('lot_sum', lots_of.quantity, lot_moved_of.quantity),
        ('layer_quantity', CASE i.valuation_method WHEN 'fifo' THEN s.on_hand + s.incoming END, layers_of.quantity),
        ('layer_value', CASE i.valuation_method WHEN 'fifo' THEN s.value_amount END, layers_of.cost)
      ) AS f (subject, stored, computed) WHERE ${of.i}
  ), figures (item_id, subject, subject_id, stored, computed) AS (
    SELECT * FROM level_figures UNION ALL SELECT * FROM lot_figures UNION ALL SELECT * FROM item_figures
  )
  SELECT item_id, subject, subject_id, COALESCE(stored, 0)::text AS stored, COALESCE(computed, 0)::text AS computed FROM figures
  WHERE COALESCE(stored, 0) <> COALESCE(computed, 0) ORDER BY item_id, subject, subject_id LIMIT ${MOST_DIFFERENCES}`;
}

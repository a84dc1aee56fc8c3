const OF = (alias: string) => `${alias}.organization_id = $1 AND ${alias}.project_id = $2 AND ${alias}.mode = $3`;

/**
 * The figures of a project that differ from what movements, reservations and transfers add up to, in one snapshot. Values are
 * organization, project and mode.
 */
export const DIFFERENCES = `
  WITH moved AS MATERIALIZED (
    SELECT m.item_id, m.location_id, sum(m.change) AS change, sum(m.cost_amount) AS cost FROM stock_movements m
    WHERE ${OF('m')} GROUP BY 1, 2
  ), lot_moved AS (
    SELECT (part ->> 'lot_id')::uuid AS lot_id, m.location_id, sum((part ->> 'change')::numeric) AS change
    FROM stock_movements m CROSS JOIN LATERAL jsonb_array_elements(m.lots) AS part WHERE ${OF('m')} AND m.lot_ids <> '{}' GROUP BY 1, 2
  ), kept AS (
    SELECT r.item_id, r.location_id, sum(r.quantity - r.consumed_quantity) AS quantity FROM stock_reservations r
    WHERE ${OF('r')} AND r.status = 'active' GROUP BY 1, 2
  ), expired AS (
    SELECT q.item_id, q.location_id, sum(q.quantity) AS quantity FROM stock_lot_levels q JOIN stock_lots l ON l.id = q.lot_id
    WHERE ${OF('q')} AND l.expired GROUP BY 1, 2
  ), sent AS (
    SELECT l.item_id, sum(l.quantity - l.received_quantity - l.lost_quantity) AS quantity
    FROM stock_transfer_lines l JOIN stock_transfers t ON t.id = l.transfer_id
    WHERE ${OF('l')} AND t.status IN ('in_transit', 'partially_received') GROUP BY 1
  ), figures (item_id, subject, subject_id, stored, computed) AS (
    SELECT item_id, 'level_on_hand', l.id, l.on_hand, moved.change FROM stock_levels l LEFT JOIN moved USING (item_id, location_id)
      WHERE ${OF('l')}
    UNION ALL SELECT item_id, 'level_reserved', l.id, l.reserved, kept.quantity
      FROM stock_levels l LEFT JOIN kept USING (item_id, location_id) WHERE ${OF('l')}
    UNION ALL SELECT item_id, 'level_held', l.id, l.held, expired.quantity
      FROM stock_levels l LEFT JOIN expired USING (item_id, location_id) WHERE ${OF('l')}
    UNION ALL SELECT q.item_id, 'lot_quantity', q.id, q.quantity, lot_moved.change
      FROM stock_lot_levels q LEFT JOIN lot_moved USING (lot_id, location_id) WHERE ${OF('q')}
    UNION ALL SELECT s.id, 'item_on_hand', s.id, s.on_hand, (SELECT sum(change) FROM moved WHERE moved.item_id = s.id)
      FROM stock_totals s WHERE ${OF('s')}
    UNION ALL SELECT s.id, 'item_incoming', s.id, s.incoming, sent.quantity
      FROM stock_totals s LEFT JOIN sent ON sent.item_id = s.id WHERE ${OF('s')}
    UNION ALL SELECT s.id, 'item_value', s.id, s.value_amount, (SELECT sum(cost) FROM moved WHERE moved.item_id = s.id)
      FROM stock_totals s WHERE ${OF('s')}
    UNION ALL SELECT s.id, 'layer_value', s.id, s.value_amount,
        (SELECT sum(c.remaining_amount) FROM stock_cost_layers c WHERE c.item_id = s.id AND c.remaining > 0)
      FROM stock_totals s JOIN inventory_items i ON i.id = s.id WHERE ${OF('s')} AND i.valuation_method = 'fifo'
  )
  SELECT item_id, subject, subject_id, stored::text, COALESCE(computed, 0)::text AS computed FROM figures
  WHERE stored <> COALESCE(computed, 0)`;

import { Client } from 'pg';

/**
 * The rows of a placed order, in one round trip: number, order, lines, reservations with their stock guarded by conditional UPDATEs, and
 * the events with their deliveries and the jobs of listeners, as the product writes them. `given` has ids and amounts.
 */
const BARE_PLACE = `
  CREATE OR REPLACE FUNCTION bare_place(given jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    c storefront_channels; line jsonb; event jsonb; number integer; n bigint; place integer := 0;
    actor jsonb := '{"type":"system","id":null,"email":null}';
  BEGIN
    SELECT * INTO c FROM storefront_channels WHERE id = (given->>'channel_id')::uuid;
    INSERT INTO counters AS k (organization_id, project_id, mode, series, last) VALUES (c.organization_id, c.project_id, 'live', 'bare', 1)
    ON CONFLICT (organization_id, project_id, mode, series) DO UPDATE SET last = k.last + 1 RETURNING last INTO number;
    INSERT INTO storefront_orders (id, organization_id, project_id, mode, channel_id, number, state, email, currency, prices_include_tax,
      shipping_method_id, shipping_name, shipping_tax_code, shipping_tax_rate, subtotal_amount, discount_amount,
      shipping_amount, tax_amount, total_amount, shipping_tax_amount, shipping_total_amount, shipping_cancelled_amount,
      shipping_refunded_amount,
      cancelled_amount, returned_amount, paid_amount, refunded_amount, taxes, ordered_quantity, cancelled_quantity,
      fulfilled_quantity, placed_at, created_by)
    VALUES ((given->>'id')::uuid, c.organization_id, c.project_id, 'live', c.id, 'B-' || number, 'open', 'ada@example.com', 'EUR', true,
      (given->>'shipping_method_id')::uuid, 'Parcel', 'S19', 19, 3000, 0, 490, 558, 3490, 78, 490, 0, 0, 0, 0, 0, 0, '[]', 3, 0, 0, now(),
      actor);
    FOR line IN SELECT * FROM jsonb_array_elements(given->'lines') LOOP
      place := place + 1;
      INSERT INTO storefront_order_lines (id, organization_id, project_id, mode, order_id, position, variant_id, sku, title, quantity,
        unit_amount, subtotal_amount, discount_amount, tax_amount, total_amount, tax_code, tax_rate, item_id, item_quantity, placed,
        reservations, fulfilled_quantity, cancelled_quantity, refunded_quantity, cancelled_amount, refunded_amount)
      SELECT (line->>'id')::uuid, c.organization_id, c.project_id, 'live', (given->>'id')::uuid, place, v.id, v.sku, p.title, 1,
        v.price_amount, v.price_amount, 0, 160, v.price_amount, 'S19', 19, v.inventory_item_id, v.inventory_quantity, true,
        jsonb_build_array(jsonb_build_object('id', line->>'reservation_id', 'location_id', given->>'location_id', 'quantity', '1')),
        0, 0, 0, 0, 0
      FROM storefront_variants v JOIN storefront_products p ON p.id = v.product_id WHERE v.id = (line->>'variant_id')::uuid;
      UPDATE stock_totals SET reserved = reserved + 1, version = version + 1, updated_at = now()
      WHERE id = (line->>'item_id')::uuid AND on_hand - held - reserved >= 1;
      IF NOT FOUND THEN RETURN false; END IF;
      UPDATE stock_levels SET reserved = reserved + 1, version = version + 1, updated_at = now()
      WHERE item_id = (line->>'item_id')::uuid AND location_id = (given->>'location_id')::uuid AND on_hand - held - reserved >= 1;
      INSERT INTO stock_reservations (id, organization_id, project_id, mode, item_id, location_id, quantity, status, reference, created_by)
      VALUES ((line->>'reservation_id')::uuid, c.organization_id, c.project_id, 'live', (line->>'item_id')::uuid,
        (given->>'location_id')::uuid, 1, 'active', 'B-' || number, actor);
    END LOOP;
    FOR event IN SELECT * FROM jsonb_array_elements(given->'events') LOOP
      n := nextval('outbox_events_sequence');
      INSERT INTO outbox_events (sequence, id, organization_id, project_id, mode, type, internal, body)
      VALUES (n, (event->>'id')::uuid, c.organization_id, c.project_id, 'live', event->>'type', (event->>'internal')::boolean,
        '{"sequence":' || n || ',' || (event->>'rest'));
      INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type)
      SELECT gen_random_uuid(), w.organization_id, c.project_id, w.mode, w.id, (event->>'id')::uuid, event->>'type'
      FROM webhook_endpoints w WHERE w.organization_id = c.organization_id AND w.mode = 'live' AND w.status = 'enabled'
        AND (w.project_id IS NULL OR w.project_id = c.project_id) AND (event->>'type' = ANY(w.events) OR '*' = ANY(w.events));
    END LOOP;
    RETURN true;
  END $$`;

export async function createBareStorefront(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(BARE_PLACE);
  } finally {
    await client.end();
  }
}

import { Client } from 'pg';

/** The event of a change with its deliveries, as the product writes them. */
const EVENT = (type: string) => `
    INSERT INTO outbox_events (sequence, id, organization_id, project_id, mode, type, internal, body)
    SELECT n, event_id, s.organization_id, s.project_id, s.mode, '${type}', false, '{"sequence":' || n || ',' || event_rest
    FROM nextval('outbox_events_sequence') AS n;
    INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type)
    SELECT gen_random_uuid(), w.organization_id, s.project_id, w.mode, w.id, event_id, '${type}' FROM webhook_endpoints w
    WHERE w.organization_id = s.organization_id AND w.mode = s.mode AND w.status = 'enabled'
      AND (w.project_id IS NULL OR w.project_id = s.project_id) AND ('${type}' = ANY(w.events) OR '*' = ANY(w.events));`;

/** The rows of a reservation, guarded by a conditional UPDATE, in one round trip. */
const BARE_RESERVE = `
  CREATE OR REPLACE FUNCTION bare_reserve(
    new_id uuid, item uuid, location uuid, wanted numeric, reference text, event_id uuid, event_rest text)
  RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE s stock_totals;
  BEGIN
    UPDATE stock_totals SET reserved = reserved + wanted, version = version + 1, updated_at = now()
    WHERE id = item AND on_hand - held - reserved >= wanted RETURNING * INTO s;
    IF s.id IS NULL THEN RETURN false; END IF;
    UPDATE stock_levels SET reserved = reserved + wanted, version = version + 1, updated_at = now()
    WHERE item_id = item AND location_id = location AND on_hand - held - reserved >= wanted;
    INSERT INTO stock_reservations (id, organization_id, project_id, mode, item_id, location_id, quantity, status, reference, created_by)
    VALUES (new_id, s.organization_id, s.project_id, s.mode, item, location, wanted, 'active', reference,
      '{"type":"system","id":null,"email":null}');
    ${EVENT('stock_reservation.created')}
    RETURN true;
  END $$`;

/** The rows of a receipt at average cost, in one round trip. */
const BARE_MOVE = `
  CREATE OR REPLACE FUNCTION bare_move(
    new_id uuid, item uuid, location uuid, moved numeric, cost bigint, reference text, event_id uuid, event_rest text)
  RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE s stock_totals; there numeric;
  BEGIN
    UPDATE stock_totals SET on_hand = on_hand + moved, value_amount = value_amount + cost, sequence = sequence + 1,
      version = version + 1, updated_at = now()
    WHERE id = item RETURNING * INTO s;
    UPDATE stock_levels SET on_hand = on_hand + moved, version = version + 1, updated_at = now()
    WHERE item_id = item AND location_id = location RETURNING on_hand INTO there;
    INSERT INTO stock_movements (id, organization_id, project_id, mode, item_id, location_id, kind, sequence, quantity, change,
      cost_amount, on_hand_after, item_quantity_after, item_value_after, reference, occurred_at, created_by)
    VALUES (new_id, s.organization_id, s.project_id, s.mode, item, location, 'receipt', s.sequence, moved, moved, cost, there,
      s.on_hand + s.incoming, s.value_amount, reference, now(), '{"type":"system","id":null,"email":null}');
    ${EVENT('stock.moved')}
    RETURN true;
  END $$`;

export async function createBareInventory(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(BARE_RESERVE);
    await client.query(BARE_MOVE);
  } finally {
    await client.end();
  }
}

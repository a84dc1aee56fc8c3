import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROW = `
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const QUANTITY = 'numeric(18,6) NOT NULL DEFAULT 0';

/**
 * Locations, reasons, items, their stock, movements, reservations and transfers. What belongs to an item is deleted with it, which only
 * the purge of test rows does: so an item's movements, layers and lots always add up to its stock.
 */
export class InventoryTables1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createConfiguration(queryRunner);
    await createItems(queryRunner);
    await createStock(queryRunner);
    await createLots(queryRunner);
    await createMovements(queryRunner);
    await createReservations(queryRunner);
    await createTransfers(queryRunner);
    await createDifferences(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE stock_differences, stock_transfer_lines, stock_transfers, stock_reservations, stock_movements, stock_cost_layers,
        stock_lot_levels, stock_lots, stock_levels, stock_totals, inventory_items, inventory_settings, stock_reasons, stock_locations`);
    await queryRunner.query(`DROP FUNCTION keep_stock_movements, set_inventory_item_search`);
  }
}

async function createConfiguration(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE stock_locations (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid CONSTRAINT stock_locations_project_id_check CHECK (project_id IS NOT NULL),
      code text NOT NULL CONSTRAINT stock_locations_code_check CHECK (length(code) BETWEEN 1 AND 32),
      name text NOT NULL CONSTRAINT stock_locations_name_check CHECK (length(name) BETWEEN 1 AND 100),
      sellable boolean NOT NULL DEFAULT true,
      position integer NOT NULL CONSTRAINT stock_locations_position_check CHECK (position BETWEEN 1 AND 10000),
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT stock_locations_reference_key UNIQUE (organization_id, project_id, id),
      CONSTRAINT stock_locations_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
    )`);
  await queryRunner.query(`CREATE UNIQUE INDEX stock_locations_code_key ON stock_locations (project_id, lower(code))`);
  await queryRunner.query(`
    CREATE TABLE stock_reasons (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid CONSTRAINT stock_reasons_project_id_check CHECK (project_id IS NOT NULL),
      code text NOT NULL CONSTRAINT stock_reasons_code_check CHECK (code ~ '^[a-z][a-z0-9_]{0,31}$'),
      name text NOT NULL CONSTRAINT stock_reasons_name_check CHECK (length(name) BETWEEN 1 AND 100),
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT stock_reasons_code_key UNIQUE (organization_id, project_id, code),
      CONSTRAINT stock_reasons_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
    )`);
  await queryRunner.query(`
    CREATE TABLE inventory_settings (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid CONSTRAINT inventory_settings_project_id_check CHECK (project_id IS NOT NULL),
      currency text NOT NULL CONSTRAINT inventory_settings_currency_check CHECK (currency ~ '^[A-Z]{3}$'),${ROW},
      CONSTRAINT inventory_settings_project_id_key UNIQUE (project_id),
      CONSTRAINT inventory_settings_currency_key UNIQUE (organization_id, project_id, currency),
      CONSTRAINT inventory_settings_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
    )`);
}

async function createItems(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE inventory_items (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid NOT NULL,
      mode text NOT NULL CONSTRAINT inventory_items_mode_check CHECK (mode IN ('live', 'test')),
      sku text NOT NULL CONSTRAINT inventory_items_sku_check CHECK (length(sku) BETWEEN 1 AND 64),
      name text NOT NULL CONSTRAINT inventory_items_name_check CHECK (length(name) BETWEEN 1 AND 255),
      description text CONSTRAINT inventory_items_description_check CHECK (length(description) <= 20000),
      unit text NOT NULL CONSTRAINT inventory_items_unit_check CHECK (length(unit) BETWEEN 1 AND 12),
      units jsonb NOT NULL DEFAULT '[]',
      quantity_scale smallint NOT NULL CONSTRAINT inventory_items_quantity_scale_check CHECK (quantity_scale BETWEEN 0 AND 6),
      tracking text NOT NULL CONSTRAINT inventory_items_tracking_check
        CHECK (tracking IN ('none', 'lot', 'serial') AND (tracking <> 'serial' OR quantity_scale = 0)),
      valuation_method text NOT NULL CONSTRAINT inventory_items_valuation_method_check CHECK (valuation_method IN ('average', 'fifo')),
      reorder_point numeric(18,6) CONSTRAINT inventory_items_reorder_point_check CHECK (reorder_point >= 0),
      reorder_quantity numeric(18,6) CONSTRAINT inventory_items_reorder_quantity_check CHECK (reorder_quantity > 0),
      barcode text CONSTRAINT inventory_items_barcode_check CHECK (length(barcode) BETWEEN 1 AND 64),
      external_id text CONSTRAINT inventory_items_external_id_check CHECK (length(external_id) BETWEEN 1 AND 255),
      active boolean NOT NULL DEFAULT true,
      currency text NOT NULL,
      created_by jsonb NOT NULL,
      search tsvector,${ROW},
      CONSTRAINT inventory_items_reference_key UNIQUE (organization_id, project_id, mode, id),
      CONSTRAINT inventory_items_currency_fkey FOREIGN KEY (organization_id, project_id, currency)
        REFERENCES inventory_settings (organization_id, project_id, currency)
    )`);
  await queryRunner.query(`CREATE UNIQUE INDEX inventory_items_sku_key ON inventory_items (project_id, mode, lower(sku))`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX inventory_items_external_id_key ON inventory_items (project_id, mode, external_id) WHERE external_id IS NOT NULL`,
  );
  // one index per sort of list_items; a trailing project column serves lists across projects and filters in the index
  for (const column of ['sku', 'name', 'updated_at'])
    await queryRunner.query(
      `CREATE INDEX inventory_items_${column}_idx ON inventory_items (organization_id, mode, ${column}, id, project_id)`,
    );
  await queryRunner.query(
    `CREATE INDEX inventory_items_barcode_idx ON inventory_items (organization_id, mode, barcode) WHERE barcode IS NOT NULL`,
  );
  await queryRunner.query(`CREATE INDEX inventory_items_search_idx ON inventory_items USING gin (search)`);
  // the store tokenizes queries into letters and digits, so the search vector must split words at punctuation too
  await queryRunner.query(`
    CREATE FUNCTION set_inventory_item_search() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search := to_tsvector('simple', translate(concat_ws(' ', NEW.sku, NEW.name, NEW.barcode, NEW.description),
        '-./:@_+&=?#%~\\|<>''"', repeat(' ', 19)));
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER inventory_items_set_search BEFORE INSERT OR UPDATE OF sku, name, barcode, description ON inventory_items
    FOR EACH ROW EXECUTE FUNCTION set_inventory_item_search()`);
}

/** Columns of a row that belongs to an item and dies with it. */
function ofItem(table: string, column = 'item_id'): string {
  return `
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid NOT NULL,
      mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),
      ${column === 'id' ? '' : `${column} uuid NOT NULL,`}`;
}

const itemKey = (table: string, column = 'item_id') => `
      CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (organization_id, project_id, mode, ${column})
        REFERENCES inventory_items (organization_id, project_id, mode, id) ON DELETE CASCADE`;
const locationKey = (table: string, column = 'location_id') => `
      CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (organization_id, project_id, ${column})
        REFERENCES stock_locations (organization_id, project_id, id)`;

async function createStock(queryRunner: QueryRunner): Promise<void> {
  // updated by every movement: few indexes and free space in the pages keep the updates within them
  await queryRunner.query(`
    CREATE TABLE stock_totals (${ofItem('stock_totals', 'id')}
      on_hand ${QUANTITY},
      reserved ${QUANTITY} CONSTRAINT stock_totals_reserved_check CHECK (reserved >= 0),
      held ${QUANTITY} CONSTRAINT stock_totals_held_check CHECK (held >= 0),
      incoming ${QUANTITY} CONSTRAINT stock_totals_incoming_check CHECK (incoming >= 0),
      value_amount bigint NOT NULL DEFAULT 0 CONSTRAINT stock_totals_value_amount_check
        CHECK (value_amount BETWEEN 0 AND 9007199254740991 AND (value_amount = 0 OR on_hand + incoming > 0)),
      sequence integer NOT NULL DEFAULT 0,
      low boolean NOT NULL DEFAULT false,${ROW},
      CONSTRAINT stock_totals_on_hand_check CHECK (reserved + held <= on_hand),${itemKey('stock_totals', 'id')}
    ) WITH (fillfactor = 70)`);
  await queryRunner.query(`CREATE INDEX stock_totals_low_idx ON stock_totals (organization_id, mode, id) WHERE low`);
  await queryRunner.query(`
    CREATE TABLE stock_levels (${ofItem('stock_levels')}
      location_id uuid NOT NULL,
      on_hand ${QUANTITY},
      reserved ${QUANTITY} CONSTRAINT stock_levels_reserved_check CHECK (reserved >= 0),
      held ${QUANTITY} CONSTRAINT stock_levels_held_check CHECK (held >= 0),${ROW},
      CONSTRAINT stock_levels_on_hand_check CHECK (reserved + held <= on_hand),
      CONSTRAINT stock_levels_location_id_key UNIQUE (item_id, location_id),${itemKey('stock_levels')},${locationKey('stock_levels')}
    )`);
  await queryRunner.query(`CREATE INDEX stock_levels_created_at_idx ON stock_levels (organization_id, mode, created_at, id, project_id)`);
  await queryRunner.query(`CREATE INDEX stock_levels_updated_at_idx ON stock_levels (organization_id, mode, updated_at, id, project_id)`);
  await queryRunner.query(`CREATE INDEX stock_levels_location_id_idx ON stock_levels (location_id, mode, created_at, id)`);
  await queryRunner.query(`
    CREATE TABLE stock_cost_layers (${ofItem('stock_cost_layers')}
      sequence integer NOT NULL,
      quantity ${QUANTITY},
      remaining ${QUANTITY} CONSTRAINT stock_cost_layers_remaining_check CHECK (remaining BETWEEN 0 AND quantity),
      remaining_amount bigint NOT NULL CONSTRAINT stock_cost_layers_remaining_amount_check
        CHECK (remaining_amount >= 0 AND (remaining > 0 OR remaining_amount = 0)),${ROW},
      CONSTRAINT stock_cost_layers_sequence_key UNIQUE (item_id, sequence),${itemKey('stock_cost_layers')}
    )`);
  await queryRunner.query(`CREATE INDEX stock_cost_layers_open_idx ON stock_cost_layers (item_id, sequence) WHERE remaining > 0`);
}

async function createLots(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE stock_lots (${ofItem('stock_lots')}
      code text NOT NULL CONSTRAINT stock_lots_code_check CHECK (length(code) BETWEEN 1 AND 64),
      expires_on date,
      serial boolean NOT NULL,
      expired boolean NOT NULL DEFAULT false CONSTRAINT stock_lots_expired_check CHECK (NOT expired OR expires_on IS NOT NULL),
      on_hand ${QUANTITY} CONSTRAINT stock_lots_on_hand_check
        CHECK (on_hand >= 0 AND in_transit >= 0 AND (NOT serial OR on_hand + in_transit <= 1)),
      in_transit ${QUANTITY},${ROW},
      CONSTRAINT stock_lots_code_key UNIQUE (item_id, code),
      CONSTRAINT stock_lots_reference_key UNIQUE (organization_id, project_id, mode, id),${itemKey('stock_lots')}
    )`);
  await queryRunner.query(`CREATE INDEX stock_lots_created_at_idx ON stock_lots (organization_id, mode, created_at, id, project_id)`);
  await queryRunner.query(
    `CREATE INDEX stock_lots_expires_on_asc_idx ON stock_lots (organization_id, mode, COALESCE(expires_on, 'infinity'), id, project_id)`,
  );
  await queryRunner.query(
    `CREATE INDEX stock_lots_expires_on_desc_idx ON stock_lots (organization_id, mode, COALESCE(expires_on, '-infinity'), id, project_id)`,
  );
  await queryRunner.query(`CREATE INDEX stock_lots_code_idx ON stock_lots (organization_id, mode, code, id)`);
  await queryRunner.query(`CREATE INDEX stock_lots_due_idx ON stock_lots (expires_on) WHERE NOT expired AND expires_on IS NOT NULL`);
  await queryRunner.query(`
    CREATE TABLE stock_lot_levels (${ofItem('stock_lot_levels')}
      lot_id uuid NOT NULL,
      location_id uuid NOT NULL,
      serial boolean NOT NULL,
      quantity ${QUANTITY} CONSTRAINT stock_lot_levels_quantity_check CHECK (quantity >= 0 AND (NOT serial OR quantity <= 1)),${ROW},
      CONSTRAINT stock_lot_levels_location_id_key UNIQUE (lot_id, location_id),
      CONSTRAINT stock_lot_levels_lot_id_fkey FOREIGN KEY (organization_id, project_id, mode, lot_id)
        REFERENCES stock_lots (organization_id, project_id, mode, id) ON DELETE CASCADE,${itemKey('stock_lot_levels')},
      ${locationKey('stock_lot_levels').trim()}
    )`);
  // a serial is in one place
  await queryRunner.query(`CREATE UNIQUE INDEX stock_lot_levels_serial_key ON stock_lot_levels (lot_id) WHERE serial AND quantity > 0`);
  await queryRunner.query(`CREATE INDEX stock_lot_levels_item_id_idx ON stock_lot_levels (item_id, location_id) WHERE quantity > 0`);
  await queryRunner.query(`CREATE INDEX stock_lot_levels_location_id_idx ON stock_lot_levels (location_id, lot_id)`);
}

async function createMovements(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE stock_movements (${ofItem('stock_movements')}
      location_id uuid NOT NULL,
      kind text NOT NULL CONSTRAINT stock_movements_kind_check CHECK (kind IN ('receipt', 'issue', 'transfer', 'count', 'adjust')),
      sequence integer NOT NULL,
      quantity numeric(18,6) NOT NULL,
      change numeric(18,6) NOT NULL,
      cost_amount bigint NOT NULL,
      on_hand_after numeric(18,6) NOT NULL,
      item_quantity_after numeric(18,6) NOT NULL,
      item_value_after bigint NOT NULL,
      lots jsonb NOT NULL DEFAULT '[]',
      lot_ids uuid[] NOT NULL DEFAULT '{}',
      reason text,
      reference text CONSTRAINT stock_movements_reference_check CHECK (length(reference) BETWEEN 1 AND 255),
      external_id text CONSTRAINT stock_movements_external_id_check CHECK (length(external_id) BETWEEN 1 AND 255),
      occurred_at timestamptz(3) NOT NULL,
      transfer_id uuid,
      reservation_id uuid,
      created_by jsonb NOT NULL,${ROW},
      CONSTRAINT stock_movements_sequence_key UNIQUE (item_id, sequence),
      CONSTRAINT stock_movements_reason_fkey FOREIGN KEY (organization_id, project_id, reason)
        REFERENCES stock_reasons (organization_id, project_id, code),${itemKey('stock_movements')},${locationKey('stock_movements')}
    )`);
  await queryRunner.query(
    `CREATE INDEX stock_movements_created_at_idx ON stock_movements (organization_id, mode, created_at, id, project_id)`,
  );
  await queryRunner.query(`CREATE INDEX stock_movements_item_id_idx ON stock_movements (item_id, created_at, id)`);
  await queryRunner.query(`CREATE INDEX stock_movements_location_id_idx ON stock_movements (location_id, mode, created_at, id)`);
  await queryRunner.query(
    `CREATE INDEX stock_movements_reference_idx ON stock_movements (organization_id, mode, reference, created_at, id)
       WHERE reference IS NOT NULL`,
  );
  await queryRunner.query(`CREATE INDEX stock_movements_lot_ids_idx ON stock_movements USING gin (lot_ids) WHERE lot_ids <> '{}'`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX stock_movements_external_id_key ON stock_movements (project_id, mode, external_id) WHERE external_id IS NOT NULL`,
  );
  await queryRunner.query(`
    CREATE FUNCTION keep_stock_movements() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' AND OLD.mode = 'test' THEN
        RETURN OLD;
      END IF;
      RAISE EXCEPTION 'movements are never changed: correct movement % by another one', OLD.id;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER stock_movements_keep BEFORE UPDATE OR DELETE ON stock_movements
    FOR EACH ROW EXECUTE FUNCTION keep_stock_movements()`);
}

async function createReservations(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE stock_reservations (${ofItem('stock_reservations')}
      location_id uuid NOT NULL,
      quantity numeric(18,6) NOT NULL CONSTRAINT stock_reservations_quantity_check CHECK (quantity > 0),
      consumed_quantity ${QUANTITY} CONSTRAINT stock_reservations_consumed_quantity_check
        CHECK (consumed_quantity BETWEEN 0 AND quantity AND (status <> 'active' OR consumed_quantity < quantity)),
      status text NOT NULL CONSTRAINT stock_reservations_status_check CHECK (status IN ('active', 'consumed', 'released', 'expired')),
      reference text NOT NULL CONSTRAINT stock_reservations_reference_check CHECK (length(reference) BETWEEN 1 AND 255),
      expires_at timestamptz(3),
      ended_at timestamptz(3) CONSTRAINT stock_reservations_ended_at_check CHECK ((ended_at IS NULL) = (status = 'active')),
      created_by jsonb NOT NULL,${ROW},${itemKey('stock_reservations')},${locationKey('stock_reservations')}
    )`);
  await queryRunner.query(
    `CREATE INDEX stock_reservations_created_at_idx ON stock_reservations (organization_id, mode, created_at, id, project_id)`,
  );
  await queryRunner.query(
    `CREATE INDEX stock_reservations_status_idx ON stock_reservations (organization_id, mode, status, created_at, id, project_id)`,
  );
  await queryRunner.query(
    `CREATE INDEX stock_reservations_updated_at_idx ON stock_reservations (organization_id, mode, updated_at, id, project_id)`,
  );
  await queryRunner.query(`CREATE INDEX stock_reservations_item_id_idx ON stock_reservations (item_id, created_at, id)`);
  await queryRunner.query(
    `CREATE INDEX stock_reservations_active_idx ON stock_reservations (item_id, location_id) WHERE status = 'active'`,
  );
  await queryRunner.query(
    `CREATE INDEX stock_reservations_reference_idx ON stock_reservations (organization_id, mode, reference, created_at, id)`,
  );
  await queryRunner.query(
    `CREATE INDEX stock_reservations_due_idx ON stock_reservations (expires_at) WHERE status = 'active' AND expires_at IS NOT NULL`,
  );
}

async function createTransfers(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE stock_transfers (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid NOT NULL,
      mode text NOT NULL CONSTRAINT stock_transfers_mode_check CHECK (mode IN ('live', 'test')),
      number text NOT NULL,
      status text NOT NULL CONSTRAINT stock_transfers_status_check
        CHECK (status IN ('in_transit', 'partially_received', 'received', 'cancelled')),
      from_location_id uuid NOT NULL,
      to_location_id uuid NOT NULL CONSTRAINT stock_transfers_to_location_id_check CHECK (to_location_id <> from_location_id),
      reference text CONSTRAINT stock_transfers_reference_check CHECK (length(reference) BETWEEN 1 AND 255),
      ended_at timestamptz(3) CONSTRAINT stock_transfers_ended_at_check
        CHECK ((ended_at IS NULL) = (status IN ('in_transit', 'partially_received'))),
      created_by jsonb NOT NULL,${ROW},
      CONSTRAINT stock_transfers_reference_key UNIQUE (organization_id, project_id, mode, id),
      CONSTRAINT stock_transfers_number_key UNIQUE (project_id, mode, number),
      ${locationKey('stock_transfers', 'from_location_id').trim()},
      ${locationKey('stock_transfers', 'to_location_id').trim()}
    )`);
  await queryRunner.query(
    `CREATE INDEX stock_transfers_created_at_idx ON stock_transfers (organization_id, mode, created_at, id, project_id)`,
  );
  await queryRunner.query(
    `CREATE INDEX stock_transfers_updated_at_idx ON stock_transfers (organization_id, mode, updated_at, id, project_id)`,
  );
  await queryRunner.query(
    `CREATE INDEX stock_transfers_open_idx ON stock_transfers (organization_id, mode, status, created_at, id, project_id)`,
  );
  await queryRunner.query(`
    CREATE TABLE stock_transfer_lines (${ofItem('stock_transfer_lines')}
      transfer_id uuid NOT NULL,
      position smallint NOT NULL,
      lot_id uuid,
      quantity numeric(18,6) NOT NULL CONSTRAINT stock_transfer_lines_quantity_check CHECK (quantity > 0),
      received_quantity ${QUANTITY} CONSTRAINT stock_transfer_lines_received_quantity_check
        CHECK (received_quantity >= 0 AND lost_quantity >= 0 AND received_quantity + lost_quantity <= quantity),
      lost_quantity ${QUANTITY},${ROW},
      CONSTRAINT stock_transfer_lines_position_key UNIQUE (transfer_id, position),
      CONSTRAINT stock_transfer_lines_transfer_id_fkey FOREIGN KEY (organization_id, project_id, mode, transfer_id)
        REFERENCES stock_transfers (organization_id, project_id, mode, id) ON DELETE CASCADE,${itemKey('stock_transfer_lines')}
    )`);
  await queryRunner.query(`CREATE INDEX stock_transfer_lines_item_id_idx ON stock_transfer_lines (item_id, transfer_id)`);
}

async function createDifferences(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE stock_differences (${ofItem('stock_differences')}
      subject text NOT NULL,
      subject_id uuid NOT NULL,
      stored numeric NOT NULL,
      computed numeric NOT NULL,
      resolved_at timestamptz(3),${ROW},${itemKey('stock_differences')}
    )`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX stock_differences_subject_key ON stock_differences (subject_id, subject) WHERE resolved_at IS NULL`,
  );
  await queryRunner.query(
    `CREATE INDEX stock_differences_created_at_idx ON stock_differences (organization_id, mode, created_at, id, project_id)`,
  );
  await queryRunner.query(`CREATE INDEX stock_differences_item_id_idx ON stock_differences (item_id)`);
}

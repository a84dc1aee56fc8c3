import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROW = `
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const head = (table: string) => `
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid NOT NULL,
      mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),`;
const orderKey = (table: string) => `
      CONSTRAINT ${table}_order_id_fkey FOREIGN KEY (organization_id, project_id, mode, order_id)
        REFERENCES storefront_orders (organization_id, project_id, mode, id) ON DELETE CASCADE`;
const AMOUNT = 'BETWEEN 0 AND 9007199254740991';
const amounts = (...columns: string[]) => columns.map((column) => `${column} bigint NOT NULL,`).join('\n      ');

/** Orders with their lines, payments, refunds and shipments. */
export class StorefrontOrders1764100000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createOrders(queryRunner);
    await createOrderTriggers(queryRunner);
    await createLines(queryRunner);
    await createMoney(queryRunner);
    await createShipments(queryRunner);
    await createDiscountUses(queryRunner);
    await createSumChecks(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE storefront_discount_uses, storefront_fulfillments, storefront_refunds, storefront_payments, storefront_order_lines,
         storefront_orders`,
    );
    await queryRunner.query(
      `DROP FUNCTION set_storefront_order_states, keep_placed_storefront_row, keep_storefront_money, check_storefront_order_sums,
         check_storefront_money_sums, check_storefront_quantity_sums`,
    );
  }
}

async function createOrders(queryRunner: QueryRunner): Promise<void> {
  const table = 'storefront_orders';
  await queryRunner.query(`
    CREATE TABLE ${table} (${head(table)}
      channel_id uuid NOT NULL,
      number text,
      state text NOT NULL CONSTRAINT ${table}_state_check CHECK (state IN ('draft', 'open', 'completed', 'cancelled')),
      payment_state text NOT NULL DEFAULT 'unpaid' CONSTRAINT ${table}_payment_state_check
        CHECK (payment_state IN ('unpaid', 'partially_paid', 'paid', 'partially_refunded', 'refunded')),
      fulfillment_state text NOT NULL DEFAULT 'unfulfilled' CONSTRAINT ${table}_fulfillment_state_check
        CHECK (fulfillment_state IN ('unfulfilled', 'partially_fulfilled', 'fulfilled')),
      email text,
      name text,
      currency text NOT NULL CONSTRAINT ${table}_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      prices_include_tax boolean NOT NULL,
      discount_id uuid,
      discount_code text,
      shipping_method_id uuid,
      shipping_name text,
      shipping_tax_code text,
      shipping_tax_rate numeric(7,4),
      shipping_address jsonb,
      billing_address jsonb,
      note text CONSTRAINT ${table}_note_check CHECK (length(note) <= 5000),
      external_id text CONSTRAINT ${table}_external_id_check CHECK (length(external_id) BETWEEN 1 AND 255),
      ${amounts('subtotal_amount', 'discount_amount', 'shipping_amount', 'tax_amount', 'total_amount')}
      ${amounts('shipping_tax_amount', 'shipping_total_amount', 'shipping_cancelled_amount', 'shipping_refunded_amount')}
      ${amounts('cancelled_amount', 'returned_amount', 'paid_amount', 'refunded_amount')}
      taxes jsonb NOT NULL,
      ordered_quantity integer NOT NULL,
      cancelled_quantity integer NOT NULL,
      fulfilled_quantity integer NOT NULL,
      placed_at timestamptz(3),
      pay_by_at timestamptz(3),
      cancelled_at timestamptz(3),
      cancel_reason text,
      created_by jsonb NOT NULL,
      search tsvector,${ROW},
      CONSTRAINT ${table}_number_check CHECK ((number IS NULL) = (state = 'draft') AND (placed_at IS NULL) = (state = 'draft')),
      CONSTRAINT ${table}_total_amount_check CHECK (least(subtotal_amount, discount_amount, shipping_amount, tax_amount) >= 0
        AND total_amount ${AMOUNT} AND discount_amount <= subtotal_amount AND total_amount
        = subtotal_amount - discount_amount + shipping_amount + CASE WHEN prices_include_tax THEN 0 ELSE tax_amount END),
      CONSTRAINT ${table}_shipping_total_amount_check CHECK (shipping_tax_amount >= 0 AND shipping_total_amount
        = shipping_amount + CASE WHEN prices_include_tax THEN 0 ELSE shipping_tax_amount END
        AND shipping_cancelled_amount BETWEEN 0 AND shipping_total_amount AND shipping_refunded_amount BETWEEN 0 AND shipping_total_amount),
      CONSTRAINT ${table}_refunded_amount_check CHECK (paid_amount ${AMOUNT} AND refunded_amount BETWEEN 0 AND paid_amount
        AND returned_amount BETWEEN 0 AND refunded_amount),
      CONSTRAINT ${table}_cancelled_amount_check CHECK (cancelled_amount BETWEEN 0 AND total_amount),
      CONSTRAINT ${table}_fulfilled_quantity_check CHECK (fulfilled_quantity >= 0 AND cancelled_quantity >= 0
        AND fulfilled_quantity + cancelled_quantity <= ordered_quantity),
      CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id),
      CONSTRAINT ${table}_channel_id_fkey FOREIGN KEY (organization_id, project_id, channel_id)
        REFERENCES storefront_channels (organization_id, project_id, id),
      CONSTRAINT ${table}_shipping_method_id_fkey FOREIGN KEY (organization_id, project_id, shipping_method_id)
        REFERENCES storefront_shipping_methods (organization_id, project_id, id),
      CONSTRAINT ${table}_discount_id_fkey FOREIGN KEY (organization_id, project_id, mode, discount_id)
        REFERENCES storefront_discounts (organization_id, project_id, mode, id)
    ) WITH (fillfactor = 85)`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_number_key ON ${table} (project_id, mode, number) WHERE number IS NOT NULL`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX ${table}_external_id_key ON ${table} (project_id, mode, external_id) WHERE external_id IS NOT NULL`,
  );
  // one index per sort of list_orders; a trailing project column serves lists across projects and filters in the index
  for (const column of ['created_at', 'updated_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, mode, ${column}, id, project_id)`);
  // the filters that match few of many orders
  for (const column of ['state', 'payment_state', 'fulfillment_state'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, mode, ${column}, created_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_channel_id_idx ON ${table} (channel_id, mode, created_at, id)`);
  await queryRunner.query(
    `CREATE INDEX ${table}_shipping_method_id_idx ON ${table} (shipping_method_id) WHERE shipping_method_id IS NOT NULL`,
  );
  await queryRunner.query(`CREATE INDEX ${table}_discount_id_idx ON ${table} (discount_id) WHERE discount_id IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_email_idx ON ${table} (organization_id, mode, lower(email), created_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_number_idx ON ${table} (organization_id, mode, number) WHERE number IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_placed_at_idx ON ${table} (organization_id, mode, placed_at) WHERE placed_at IS NOT NULL`);
  await queryRunner.query(
    `CREATE INDEX ${table}_pay_by_at_idx ON ${table} (pay_by_at)
       WHERE state = 'open' AND payment_state = 'unpaid' AND pay_by_at IS NOT NULL`,
  );
  await queryRunner.query(`CREATE INDEX ${table}_idle_idx ON ${table} (updated_at) WHERE state = 'draft'`);
  await queryRunner.query(`CREATE INDEX ${table}_search_idx ON ${table} USING gin (search)`);
}

/** The two derived states, and what is fixed once an order is placed. */
async function createOrderTriggers(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION set_storefront_order_states() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.payment_state := CASE
        WHEN NEW.paid_amount = 0 THEN CASE WHEN NEW.state <> 'draft' AND NEW.total_amount = 0 THEN 'paid' ELSE 'unpaid' END
        WHEN NEW.refunded_amount = NEW.paid_amount THEN 'refunded'
        WHEN NEW.paid_amount - NEW.refunded_amount >= NEW.total_amount THEN 'paid'
        WHEN NEW.refunded_amount > 0 THEN 'partially_refunded'
        WHEN NEW.paid_amount >= NEW.total_amount - NEW.cancelled_amount THEN 'paid'
        ELSE 'partially_paid' END;
      NEW.fulfillment_state := CASE
        WHEN NEW.fulfilled_quantity = 0 THEN 'unfulfilled'
        WHEN NEW.fulfilled_quantity + NEW.cancelled_quantity = NEW.ordered_quantity THEN 'fulfilled'
        ELSE 'partially_fulfilled' END;
      IF TG_OP = 'INSERT' OR (NEW.number, NEW.email, NEW.name, NEW.note, NEW.external_id)
          IS DISTINCT FROM (OLD.number, OLD.email, OLD.name, OLD.note, OLD.external_id) THEN
        NEW.search := storefront_search(NEW.number, NEW.email, NEW.name, NEW.external_id, NEW.note);
      END IF;
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER storefront_orders_set_states BEFORE INSERT OR UPDATE ON storefront_orders
    FOR EACH ROW EXECUTE FUNCTION set_storefront_order_states()`);
  await queryRunner.query(`
    CREATE FUNCTION keep_placed_storefront_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a placed order keeps its lines, prices and totals';
    END $$`);
  const fixed = `number, channel_id, currency, prices_include_tax, discount_id, discount_code, shipping_method_id, shipping_tax_code,
    shipping_tax_rate, subtotal_amount, discount_amount, shipping_amount, tax_amount, total_amount, shipping_tax_amount,
    shipping_total_amount, ordered_quantity, placed_at`;
  await queryRunner.query(`
    CREATE TRIGGER storefront_orders_keep_values BEFORE UPDATE ON storefront_orders
    FOR EACH ROW WHEN (OLD.state <> 'draft' AND (NEW.state = 'draft' OR (${rowOf('OLD', fixed)}) IS DISTINCT FROM (${rowOf('NEW', fixed)})))
    EXECUTE FUNCTION keep_placed_storefront_row()`);
  await queryRunner.query(`
    CREATE TRIGGER storefront_orders_keep_rows BEFORE DELETE ON storefront_orders
    FOR EACH ROW WHEN (OLD.state <> 'draft' AND OLD.mode = 'live') EXECUTE FUNCTION keep_placed_storefront_row()`);
}

function rowOf(row: string, columns: string): string {
  return columns
    .split(/,\s*/)
    .map((column) => `${row}.${column}`)
    .join(', ');
}

async function createLines(queryRunner: QueryRunner): Promise<void> {
  const table = 'storefront_order_lines';
  await queryRunner.query(`
    CREATE TABLE ${table} (${head(table)}
      order_id uuid NOT NULL,
      position integer NOT NULL,
      variant_id uuid NOT NULL,
      sku text NOT NULL,
      title text NOT NULL,
      option_values text[] NOT NULL DEFAULT '{}',
      quantity integer NOT NULL CONSTRAINT ${table}_quantity_check CHECK (quantity BETWEEN 1 AND 9999),
      ${amounts('unit_amount', 'subtotal_amount', 'discount_amount', 'tax_amount', 'total_amount')}
      tax_code text NOT NULL,
      tax_rate numeric(7,4) NOT NULL,
      item_id uuid,
      item_quantity numeric(18,6) NOT NULL,
      placed boolean NOT NULL,
      reservations jsonb NOT NULL,
      fulfilled_quantity integer NOT NULL,
      cancelled_quantity integer NOT NULL,
      refunded_quantity integer NOT NULL,
      cancelled_amount bigint NOT NULL,
      refunded_amount bigint NOT NULL,${ROW},
      CONSTRAINT ${table}_subtotal_amount_check CHECK (unit_amount >= 0 AND subtotal_amount = unit_amount * quantity),
      CONSTRAINT ${table}_total_amount_check CHECK (discount_amount BETWEEN 0 AND subtotal_amount AND tax_amount >= 0
        AND total_amount ${AMOUNT} AND total_amount - (subtotal_amount - discount_amount) IN (0, tax_amount)),
      CONSTRAINT ${table}_fulfilled_quantity_check CHECK (fulfilled_quantity >= 0 AND cancelled_quantity >= 0
        AND fulfilled_quantity + cancelled_quantity <= quantity AND refunded_quantity BETWEEN 0 AND quantity),
      CONSTRAINT ${table}_refunded_amount_check CHECK (refunded_amount BETWEEN 0 AND total_amount
        AND cancelled_amount BETWEEN 0 AND total_amount),
      CONSTRAINT ${table}_position_key UNIQUE (order_id, position),${orderKey(table)},
      CONSTRAINT ${table}_variant_id_fkey FOREIGN KEY (organization_id, project_id, mode, variant_id)
        REFERENCES storefront_variants (organization_id, project_id, mode, id)
    )`);
  await queryRunner.query(`CREATE INDEX ${table}_sku_idx ON ${table} (organization_id, mode, lower(sku), order_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_variant_id_idx ON ${table} (variant_id)`);
  const fixed = `order_id, position, variant_id, sku, title, option_values, quantity, unit_amount, subtotal_amount, discount_amount,
    tax_amount, total_amount, tax_code, tax_rate, item_id, item_quantity, placed`;
  await queryRunner.query(`
    CREATE TRIGGER ${table}_keep_values BEFORE UPDATE ON ${table}
    FOR EACH ROW WHEN (OLD.placed AND (${rowOf('OLD', fixed)}) IS DISTINCT FROM (${rowOf('NEW', fixed)}))
    EXECUTE FUNCTION keep_placed_storefront_row()`);
  await queryRunner.query(`
    CREATE TRIGGER ${table}_keep_rows BEFORE DELETE ON ${table}
    FOR EACH ROW WHEN (OLD.placed AND OLD.mode = 'live') EXECUTE FUNCTION keep_placed_storefront_row()`);
}

/** Payments and refunds are append-only; only test data can be deleted. */
async function createMoney(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION keep_storefront_money() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'payments and refunds are append-only';
    END $$`);
  for (const table of ['storefront_payments', 'storefront_refunds']) {
    const own = table === 'storefront_refunds' ? 'reason text,\n      lines jsonb NOT NULL,\n      parts jsonb NOT NULL,\n      ' : '';
    await queryRunner.query(`
    CREATE TABLE ${table} (${head(table)}
      order_id uuid NOT NULL,
      amount bigint NOT NULL CONSTRAINT ${table}_amount_check CHECK (amount > 0 AND amount ${AMOUNT}),
      status text NOT NULL CONSTRAINT ${table}_status_check CHECK (status IN ('succeeded', 'failed')),
      provider text NOT NULL CONSTRAINT ${table}_provider_check CHECK (length(provider) BETWEEN 1 AND 64),
      reference text NOT NULL CONSTRAINT ${table}_reference_check CHECK (length(reference) BETWEEN 1 AND 255),
      "on" date NOT NULL,
      ${own}created_by jsonb NOT NULL,${ROW},
      CONSTRAINT ${table}_reference_key UNIQUE (project_id, mode, provider, reference),${orderKey(table)}
    )`);
    await queryRunner.query(`CREATE INDEX ${table}_order_id_idx ON ${table} (order_id, id)`);
    await queryRunner.query(
      `CREATE TRIGGER ${table}_keep_values BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION keep_storefront_money()`,
    );
    await queryRunner.query(`
      CREATE TRIGGER ${table}_keep_rows BEFORE DELETE ON ${table}
      FOR EACH ROW WHEN (OLD.mode = 'live') EXECUTE FUNCTION keep_storefront_money()`);
  }
}

async function createShipments(queryRunner: QueryRunner): Promise<void> {
  const table = 'storefront_fulfillments';
  await queryRunner.query(`
    CREATE TABLE ${table} (${head(table)}
      order_id uuid NOT NULL,
      location_id uuid,
      state text NOT NULL CONSTRAINT ${table}_state_check CHECK (state IN ('shipped', 'cancelled')),
      lines jsonb NOT NULL CONSTRAINT ${table}_lines_check CHECK (jsonb_typeof(lines) = 'array'),
      uses jsonb NOT NULL,
      tracking jsonb,
      cancelled_at timestamptz(3),
      created_by jsonb NOT NULL,${ROW},
      CONSTRAINT ${table}_cancelled_at_check CHECK ((cancelled_at IS NULL) = (state = 'shipped')),${orderKey(table)}
    )`);
  await queryRunner.query(`CREATE INDEX ${table}_order_id_idx ON ${table} (order_id, id)`);
}

async function createDiscountUses(queryRunner: QueryRunner): Promise<void> {
  const table = 'storefront_discount_uses';
  await queryRunner.query(`
    CREATE TABLE ${table} (${head(table)}
      discount_id uuid NOT NULL,
      order_id uuid NOT NULL,
      email text NOT NULL,${ROW},
      CONSTRAINT ${table}_order_id_key UNIQUE (order_id),${orderKey(table)},
      CONSTRAINT ${table}_discount_id_fkey FOREIGN KEY (organization_id, project_id, mode, discount_id)
        REFERENCES storefront_discounts (organization_id, project_id, mode, id)
    )`);
  await queryRunner.query(`CREATE INDEX ${table}_email_idx ON ${table} (discount_id, email)`);
}

/** What an order says of the rows that belong to it must be their sum. */
async function createSumChecks(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION check_storefront_order_sums() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      lines record;
    BEGIN
      SELECT sum(subtotal_amount) AS subtotal, sum(discount_amount) AS discount, sum(tax_amount) AS tax, sum(total_amount) AS total,
        sum(quantity) AS quantity, bool_and(placed) AS placed INTO lines FROM storefront_order_lines WHERE order_id = NEW.id;
      IF (lines.subtotal, lines.discount, lines.tax + NEW.shipping_tax_amount, lines.total + NEW.shipping_total_amount, lines.quantity,
          lines.placed) IS DISTINCT FROM
         (NEW.subtotal_amount::numeric, NEW.discount_amount::numeric, NEW.tax_amount::numeric, NEW.total_amount::numeric,
          NEW.ordered_quantity::bigint, true) THEN
        RAISE EXCEPTION 'the lines of order % do not add up to its totals', NEW.id;
      END IF;
      RETURN NULL;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER storefront_orders_check_sums AFTER UPDATE ON storefront_orders
    FOR EACH ROW WHEN (OLD.state = 'draft' AND NEW.state <> 'draft') EXECUTE FUNCTION check_storefront_order_sums()`);
  await queryRunner.query(`
    CREATE FUNCTION check_storefront_money_sums() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      stored record;
    BEGIN
      SELECT paid_amount, refunded_amount INTO stored FROM storefront_orders WHERE id = NEW.order_id;
      IF (stored.paid_amount, stored.refunded_amount) IS DISTINCT FROM
         ((SELECT coalesce(sum(amount), 0)::bigint FROM storefront_payments WHERE order_id = NEW.order_id AND status = 'succeeded'),
          (SELECT coalesce(sum(amount), 0)::bigint FROM storefront_refunds WHERE order_id = NEW.order_id AND status = 'succeeded')) THEN
        RAISE EXCEPTION 'the payments and refunds of order % do not add up to its totals', NEW.order_id;
      END IF;
      RETURN NULL;
    END $$`);
  for (const table of ['storefront_payments', 'storefront_refunds'])
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER ${table}_check_sums AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION check_storefront_money_sums()`);
  await queryRunner.query(`
    CREATE FUNCTION check_storefront_quantity_sums() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM storefront_orders o, LATERAL (SELECT sum(l.fulfilled_quantity)::integer AS fulfilled,
          sum(l.cancelled_quantity)::integer AS cancelled FROM storefront_order_lines l WHERE l.order_id = o.id) sums
        WHERE o.id = NEW.order_id AND (o.fulfilled_quantity, o.cancelled_quantity) IS DISTINCT FROM (sums.fulfilled, sums.cancelled)) THEN
        RAISE EXCEPTION 'the quantities of order % are not those of its lines', NEW.order_id;
      END IF;
      RETURN NULL;
    END $$`);
  await queryRunner.query(`
    CREATE CONSTRAINT TRIGGER storefront_order_lines_check_sums
    AFTER UPDATE OF fulfilled_quantity, cancelled_quantity ON storefront_order_lines DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((OLD.fulfilled_quantity, OLD.cancelled_quantity) IS DISTINCT FROM (NEW.fulfilled_quantity, NEW.cancelled_quantity))
    EXECUTE FUNCTION check_storefront_quantity_sums()`);
}

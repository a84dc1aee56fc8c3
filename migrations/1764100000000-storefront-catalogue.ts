import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROW = `
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const configuration = (table: string) => `
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid NOT NULL CONSTRAINT ${table}_project_id_check CHECK (project_id IS NOT NULL),`;
const business = (table: string) => `
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid NOT NULL,
      mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),`;
const projectKey = (table: string) => `
      CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)`;
const AMOUNT = 'BETWEEN 0 AND 9007199254740991';

/** Channels, categories, shipping methods, tax rates; discounts, products, variants. */
export class StorefrontCatalogue1764100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createConfiguration(queryRunner);
    await createDiscounts(queryRunner);
    await createProducts(queryRunner);
    await createVariants(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE storefront_variants, storefront_products, storefront_discounts, storefront_tax_rates, storefront_shipping_methods,
         storefront_categories, storefront_channels`,
    );
    await queryRunner.query(
      `DROP FUNCTION set_storefront_product_search, check_storefront_product_references, keep_used_storefront_reference,
         check_storefront_channel_locations, storefront_search`,
    );
  }
}

async function createConfiguration(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE storefront_channels (${configuration('storefront_channels')}
      name text NOT NULL CONSTRAINT storefront_channels_name_check CHECK (length(name) BETWEEN 1 AND 100),
      currency text NOT NULL CONSTRAINT storefront_channels_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      country text NOT NULL CONSTRAINT storefront_channels_country_check CHECK (country ~ '^[A-Z]{2}$'),
      prices_include_tax boolean NOT NULL DEFAULT true,
      location_ids uuid[] NOT NULL DEFAULT '{}',
      payment_window_minutes integer CONSTRAINT storefront_channels_payment_window_minutes_check
        CHECK (payment_window_minutes BETWEEN 1 AND 525600),
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT storefront_channels_reference_key UNIQUE (organization_id, project_id, id),${projectKey('storefront_channels')}
    )`);
  await queryRunner.query(`
    CREATE TABLE storefront_categories (${configuration('storefront_categories')}
      name text NOT NULL CONSTRAINT storefront_categories_name_check CHECK (length(name) BETWEEN 1 AND 100),
      position integer NOT NULL,
      active boolean NOT NULL DEFAULT true,${ROW},${projectKey('storefront_categories')}
    )`);
  await queryRunner.query(`
    CREATE TABLE storefront_shipping_methods (${configuration('storefront_shipping_methods')}
      name text NOT NULL CONSTRAINT storefront_shipping_methods_name_check CHECK (length(name) BETWEEN 1 AND 100),
      countries text[] NOT NULL DEFAULT '{}',
      currency text NOT NULL CONSTRAINT storefront_shipping_methods_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      price_amount bigint NOT NULL CONSTRAINT storefront_shipping_methods_price_amount_check CHECK (price_amount ${AMOUNT}),
      tax_class text NOT NULL,
      position integer NOT NULL,
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT storefront_shipping_methods_reference_key
        UNIQUE (organization_id, project_id, id),${projectKey('storefront_shipping_methods')}
    )`);
  await queryRunner.query(`
    CREATE TABLE storefront_tax_rates (${configuration('storefront_tax_rates')}
      country text NOT NULL CONSTRAINT storefront_tax_rates_country_check CHECK (country ~ '^[A-Z]{2}$'),
      tax_class text NOT NULL,
      rate numeric(7,4) NOT NULL CONSTRAINT storefront_tax_rates_rate_check CHECK (rate BETWEEN 0 AND 100),
      code text NOT NULL CONSTRAINT storefront_tax_rates_code_check CHECK (length(code) BETWEEN 1 AND 32),${ROW},
      CONSTRAINT storefront_tax_rates_tax_class_key UNIQUE (project_id, country, tax_class),${projectKey('storefront_tax_rates')}
    )`);
  await queryRunner.query(`
    CREATE FUNCTION check_storefront_channel_locations() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      unknown_id uuid;
    BEGIN
      SELECT given.id INTO unknown_id FROM unnest(NEW.location_ids) AS given (id)
      WHERE NOT EXISTS (SELECT FROM stock_locations r
        WHERE r.id = given.id AND r.organization_id = NEW.organization_id AND r.project_id = NEW.project_id);
      IF unknown_id IS NOT NULL THEN
        RAISE EXCEPTION 'unknown location' USING ERRCODE = 'check_violation', TABLE = 'storefront_channels',
          CONSTRAINT = 'storefront_channels_location_ids_check',
          DETAIL = format('location_ids contains %s, which is no location of the project', unknown_id);
      END IF;
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER storefront_channels_check_locations BEFORE INSERT OR UPDATE OF location_ids ON storefront_channels
    FOR EACH ROW WHEN (NEW.location_ids <> '{}') EXECUTE FUNCTION check_storefront_channel_locations()`);
  for (const table of ['channels', 'categories', 'shipping_methods'])
    await queryRunner.query(`CREATE UNIQUE INDEX storefront_${table}_name_key ON storefront_${table} (project_id, lower(name))`);
  const sorts = {
    channels: ['name', 'created_at'],
    categories: ['position', 'created_at'],
    shipping_methods: ['position', 'created_at'],
    tax_rates: ['country', 'created_at'],
  };
  for (const [table, columns] of Object.entries(sorts))
    for (const column of columns)
      await queryRunner.query(
        `CREATE INDEX storefront_${table}_${column}_idx ON storefront_${table} (organization_id, ${column}, id, project_id)`,
      );
}

async function createDiscounts(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE storefront_discounts (${business('storefront_discounts')}
      code text NOT NULL CONSTRAINT storefront_discounts_code_check CHECK (code ~ '^[A-Za-z0-9_-]{1,64}$'),
      kind text NOT NULL CONSTRAINT storefront_discounts_kind_check CHECK (kind IN ('percentage', 'fixed_amount', 'free_shipping')),
      value numeric(20,4),
      currency text,
      min_subtotal_amount bigint CONSTRAINT storefront_discounts_min_subtotal_amount_check CHECK (min_subtotal_amount ${AMOUNT}),
      starts_at timestamptz(3),
      ends_at timestamptz(3),
      usage_limit integer,
      per_email_limit integer CONSTRAINT storefront_discounts_per_email_limit_check CHECK (per_email_limit > 0),
      used_count integer NOT NULL DEFAULT 0,
      active boolean NOT NULL DEFAULT true,
      created_by jsonb NOT NULL,${ROW},
      CONSTRAINT storefront_discounts_used_count_check CHECK (used_count >= 0 AND used_count <= usage_limit),
      CONSTRAINT storefront_discounts_value_check CHECK (CASE kind
        WHEN 'percentage' THEN value > 0 AND value <= 100 AND value IS NOT NULL AND currency IS NULL
        WHEN 'fixed_amount' THEN value > 0 AND value = trunc(value) AND value IS NOT NULL AND currency IS NOT NULL
        ELSE value IS NULL AND currency IS NULL END),
      CONSTRAINT storefront_discounts_ends_at_check CHECK (ends_at > starts_at),
      CONSTRAINT storefront_discounts_reference_key UNIQUE (organization_id, project_id, mode, id),${projectKey('storefront_discounts')}
    )`);
  await queryRunner.query(`CREATE UNIQUE INDEX storefront_discounts_code_key ON storefront_discounts (project_id, mode, lower(code))`);
  for (const column of ['created_at', 'updated_at'])
    await queryRunner.query(
      `CREATE INDEX storefront_discounts_${column}_idx ON storefront_discounts (organization_id, mode, ${column}, id, project_id)`,
    );
}

async function createProducts(queryRunner: QueryRunner): Promise<void> {
  const table = 'storefront_products';
  await queryRunner.query(`
    CREATE TABLE ${table} (${business(table)}
      title text NOT NULL CONSTRAINT ${table}_title_check CHECK (length(title) BETWEEN 1 AND 255),
      slug text NOT NULL CONSTRAINT ${table}_slug_check CHECK (length(slug) BETWEEN 1 AND 255),
      description text CONSTRAINT ${table}_description_check CHECK (length(description) <= 20000),
      status text NOT NULL CONSTRAINT ${table}_status_check CHECK (status IN ('draft', 'active', 'archived')),
      category_ids uuid[] NOT NULL DEFAULT '{}',
      channel_ids uuid[],
      tax_class text NOT NULL,
      option_names text[] NOT NULL DEFAULT '{}',
      image_urls text[] NOT NULL DEFAULT '{}',
      external_id text CONSTRAINT ${table}_external_id_check CHECK (length(external_id) BETWEEN 1 AND 255),
      created_by jsonb NOT NULL,
      search tsvector,${ROW},
      CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id),${projectKey(table)}
    )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_slug_key ON ${table} (project_id, mode, slug)`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX ${table}_external_id_key ON ${table} (project_id, mode, external_id) WHERE external_id IS NOT NULL`,
  );
  // one index per sort of list_products; a trailing project column serves lists across projects and filters in the index
  for (const column of ['created_at', 'updated_at', 'title'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, mode, ${column}, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_status_idx ON ${table} (organization_id, mode, status, created_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_category_ids_idx ON ${table} USING gin (category_ids) WHERE category_ids <> '{}'`);
  await queryRunner.query(`CREATE INDEX ${table}_search_idx ON ${table} USING gin (search)`);
  // the store tokenizes q into letters and digits, so the search vector must split words at punctuation too
  await queryRunner.query(`
    CREATE FUNCTION storefront_search(VARIADIC texts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT to_tsvector('simple'::regconfig, translate(array_to_string(texts, ' '), '-./:@_+&=?#%~\\|<>''"', repeat(' ', 19)))
    $$`);
  await queryRunner.query(`
    CREATE FUNCTION set_storefront_product_search() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search := storefront_search(NEW.title, NEW.slug, NEW.external_id, NEW.description);
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER ${table}_set_search BEFORE INSERT OR UPDATE OF title, slug, external_id, description ON ${table}
    FOR EACH ROW EXECUTE FUNCTION set_storefront_product_search()`);
  await createReferenceCheck(queryRunner, table);
}

/** Arrays have no foreign keys. */
async function createReferenceCheck(queryRunner: QueryRunner, table: string): Promise<void> {
  const check = (column: string, referenced: string, what: string) => `
      SELECT given.id INTO unknown_id FROM unnest(NEW.${column}) AS given (id)
      WHERE NOT EXISTS (SELECT FROM ${referenced} r
        WHERE r.id = given.id AND r.organization_id = NEW.organization_id AND r.project_id = NEW.project_id FOR KEY SHARE);
      IF unknown_id IS NOT NULL THEN
        RAISE EXCEPTION 'unknown ${what}' USING ERRCODE = 'check_violation', TABLE = '${table}', CONSTRAINT = '${table}_${column}_check',
          DETAIL = format('${column} contains %s, which is no ${what} of the project', unknown_id);
      END IF;`;
  await queryRunner.query(`
    CREATE FUNCTION check_storefront_product_references() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      unknown_id uuid;
    BEGIN${check('category_ids', 'storefront_categories', 'category')}${check('channel_ids', 'storefront_channels', 'channel')}
      RETURN NEW;
    END $$`);
  // it runs once the row is locked, so it sees products that were written meanwhile
  await queryRunner.query(`
    CREATE FUNCTION keep_used_storefront_reference() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM ${table} p WHERE p.organization_id = OLD.organization_id
        AND (p.category_ids @> ARRAY[OLD.id] AND p.category_ids <> '{}' OR p.channel_ids @> ARRAY[OLD.id])) THEN
        RAISE EXCEPTION 'used by products' USING ERRCODE = 'foreign_key_violation', DETAIL = 'It is still referenced from products.';
      END IF;
      RETURN OLD;
    END $$`);
  for (const referenced of ['storefront_categories', 'storefront_channels'])
    await queryRunner.query(`
      CREATE TRIGGER ${referenced}_keep_used BEFORE DELETE ON ${referenced}
      FOR EACH ROW EXECUTE FUNCTION keep_used_storefront_reference()`);
  await queryRunner.query(`
    CREATE TRIGGER ${table}_check_references BEFORE INSERT OR UPDATE OF category_ids, channel_ids ON ${table}
    FOR EACH ROW WHEN (NEW.category_ids <> '{}' OR NEW.channel_ids IS NOT NULL) EXECUTE FUNCTION check_storefront_product_references()`);
}

async function createVariants(queryRunner: QueryRunner): Promise<void> {
  const table = 'storefront_variants';
  await queryRunner.query(`
    CREATE TABLE ${table} (${business(table)}
      product_id uuid NOT NULL,
      position integer NOT NULL,
      sku text NOT NULL CONSTRAINT ${table}_sku_check CHECK (length(sku) BETWEEN 1 AND 64),
      option_values text[] NOT NULL DEFAULT '{}',
      price_amount bigint NOT NULL CONSTRAINT ${table}_price_amount_check CHECK (price_amount ${AMOUNT}),
      currency text NOT NULL CONSTRAINT ${table}_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      prices jsonb NOT NULL DEFAULT '[]',
      inventory_item_id uuid,
      inventory_quantity numeric(18,6) NOT NULL DEFAULT 1 CONSTRAINT ${table}_inventory_quantity_check CHECK (inventory_quantity > 0),
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT ${table}_option_values_key UNIQUE (product_id, option_values),
      CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id),
      CONSTRAINT ${table}_product_id_fkey FOREIGN KEY (organization_id, project_id, mode, product_id)
        REFERENCES storefront_products (organization_id, project_id, mode, id),
      CONSTRAINT ${table}_inventory_item_id_fkey FOREIGN KEY (organization_id, project_id, mode, inventory_item_id)
        REFERENCES inventory_items (organization_id, project_id, mode, id)
    )`);
  await queryRunner.query(
    `CREATE INDEX ${table}_inventory_item_id_idx ON ${table} (inventory_item_id) WHERE inventory_item_id IS NOT NULL`,
  );
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_sku_key ON ${table} (project_id, mode, lower(sku))`);
  await queryRunner.query(`CREATE INDEX ${table}_product_id_idx ON ${table} (product_id, position)`);
  await queryRunner.query(`CREATE INDEX ${table}_sku_idx ON ${table} (organization_id, mode, lower(sku))`);
}

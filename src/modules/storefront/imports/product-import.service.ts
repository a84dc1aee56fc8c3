import { Injectable } from '@nestjs/common';
import {
  bothOf,
  CustomFieldCatalog,
  Field,
  importResult,
  notOfProject,
  own,
  pickOf,
  Projects,
  readImport,
  refusalOf,
  sql,
  Store,
  table,
  writeRows,
  type CsvSource,
  type Ctx,
  type ImportResultDto,
  type MoneyImportQuery,
  type Tx,
  type ValidRow,
} from '../../../kit/index.js';
import { InventoryItem } from '../../inventory/inventory.public.js';
import { StorefrontConfig } from '../config/storefront-config.js';
import { Category } from '../model/category.entity.js';
import { Product } from '../model/product.entity.js';
import { duplicateOf } from '../model/storefront.errors.js';
import { Variant } from '../model/variant.entity.js';
import { CreateProductDto } from '../products/product-requests.dto.js';
import { CreateProductVariantDto } from '../products/product-variant.dto.js';
import { ProductsService } from '../products/products.service.js';
import { newSlugs, randomSlug } from '../products/slugs.js';
import { channelCurrency, requirePrecision } from '../products/variant-rules.js';

/** The columns of a file: a product with one variant. */
class ProductRowDto extends bothOf(
  pickOf(CreateProductDto, ['title', 'slug', 'description', 'status', 'tax_class', 'external_id', 'custom_fields']),
  pickOf(CreateProductVariantDto, ['sku', 'price_amount', 'currency', 'inventory_quantity']),
) {
  @Field.string({
    description: 'Name of a category of the project.',
    example: 'Chairs',
    maxLength: 100,
    required: false,
  })
  category?: string;

  @Field.string({
    description: 'SKU of an item of the inventory.',
    example: 'CHAIR-01',
    maxLength: 64,
    required: false,
  })
  inventory_sku?: string;
}

/** Creates products from a file. Rows whose external id or SKU exists are rejected, so a file can be sent again. */
@Injectable()
export class ProductImport {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: StorefrontConfig,
    private readonly products: ProductsService,
    private readonly customFields: CustomFieldCatalog,
  ) {}

  async run(ctx: Ctx, file: CsvSource, query: MoneyImportQuery): Promise<ImportResultDto & { object: string }> {
    const { project_id, dry_run: isDryRun = false } = query;
    const project = await this.projects.resolve(ctx, project_id);
    const customFields = await this.customFields.columns(ctx, 'product', project.id);
    const read = await readImport(ProductRowDto, file, { ...query, customFields }, async (rows) => {
      const currency = channelCurrency(null, await this.config.read(ctx, project.id));
      return rows.map((row) => row.currency ?? currency);
    });
    await this.store.write(ctx, async (tx) => {
      const known = await knownOf(tx, project.id, read.valid);
      await writeRows(tx, read.valid, (row, again) => this.create(ctx, tx, project.id, row, known, again), {
        isDryRun,
        together: true,
        // only what was written is taken
        onWritten: ({ row, value }) => {
          for (const [key] of ownOf(value)) known.taken.set(key, `row ${row} of the file`);
        },
        onRefusal: ({ row }, error) => read.errors.push(columnOf(refusalOf(row, error))),
      });
    });
    return { object: 'product_import', ...importResult(read, isDryRun) };
  }

  private async create(ctx: Ctx, tx: Tx, projectId: string, { row, value }: Row, known: Known, again: boolean): Promise<Product> {
    const { body, item } = productOf(value, known);
    const fields = await this.products.variantsOf(tx, projectId, body);
    if (item) requirePrecision(item, fields[0], '');
    if (again) for (const [key, id] of await takenOf(tx, projectId, [value])) known.taken.set(key, id);
    for (const [key, column, text] of ownOf(value)) {
      const id = known.taken.get(key);
      if (id !== undefined) throw duplicateOf(column, text, id);
    }
    // another product with this title may have been created in the meantime
    const slug = value.slug ?? (again ? randomSlug(value.title) : (known.slugs.get(row) as string));
    return this.products.insertChecked(ctx, tx, projectId, { ...body, slug }, fields);
  }
}

type Row = ValidRow<ProductRowDto>;
type Item = Pick<InventoryItem, 'id' | 'quantity_scale'>;

/** What a file refers to or must not repeat. */
interface Known {
  /** Ids by the name in lower case. */
  categories: ReadonlyMap<string, string>;
  /** By the SKU in lower case. */
  items: ReadonlyMap<string, Item>;
  /** Who has a value that only one product may have: a product's id, or a row of the file. */
  taken: Map<string, string>;
  /** For rows without one. */
  slugs: ReadonlyMap<number, string>;
}

async function knownOf(tx: Tx, projectId: string, rows: readonly Row[]): Promise<Known> {
  const categories = await tx.sql<{ id: string; name: string }>(
    sql`SELECT c.id, lower(c.name) AS name FROM ${table(Category)} c WHERE ${own('c')} AND c.project_id = ${projectId}`,
  );
  const skus = new Set(rows.flatMap(({ value }) => value.inventory_sku?.toLowerCase() ?? []));
  const items = await tx.sql<Item & { sku: string }>(
    sql`SELECT i.id, i.quantity_scale, lower(i.sku) AS sku FROM ${table(InventoryItem)} i
      WHERE ${own('i')} AND i.project_id = ${projectId} AND lower(i.sku) = ANY(${[...skus]})`,
  );
  const values = rows.map(({ value }) => value);
  const unnamed = rows.filter(({ value }) => value.slug === undefined);
  const titles = unnamed.map(({ value }) => value.title);
  const given = values.flatMap(({ slug }) => slug ?? []);
  const slugs = await newSlugs(tx, projectId, titles, given);
  return {
    categories: new Map(categories.map(({ id, name }) => [name, id])),
    items: new Map(items.map((item) => [item.sku, item])),
    taken: await takenOf(tx, projectId, values),
    slugs: new Map(unnamed.map(({ row }, index) => [row, slugs[index]])),
  };
}

/** The values of a row that only one product may have, each as key, column and text; the most specific first. */
function ownOf({ external_id, slug, sku }: Pick<ProductRowDto, 'sku'> & { external_id?: string | null; slug?: string }) {
  const keys: [string, string, string][] = [];
  if (external_id) keys.push([`external_id ${external_id}`, 'external_id', external_id]);
  if (slug) keys.push([`slug ${slug}`, 'slug', slug]);
  keys.push([`sku ${sku.toLowerCase()}`, 'sku', sku]);
  return keys;
}

/** The products that have values of the rows already, by the keys of `ownOf`. */
async function takenOf(tx: Tx, projectId: string, rows: readonly ProductRowDto[]): Promise<Map<string, string>> {
  const externalIds = rows.flatMap(({ external_id }) => external_id ?? []);
  const slugs = rows.flatMap(({ slug }) => slug ?? []);
  const skus = rows.map(({ sku }) => sku.toLowerCase());
  const found = await tx.sql<{ key: string; id: string }>(
    sql`SELECT 'external_id ' || p.external_id AS key, p.id FROM ${table(Product)} p
        WHERE ${own('p')} AND p.project_id = ${projectId} AND p.external_id = ANY(${externalIds})
      UNION ALL SELECT 'slug ' || p.slug, p.id FROM ${table(Product)} p
        WHERE ${own('p')} AND p.project_id = ${projectId} AND p.slug = ANY(${slugs})
      UNION ALL SELECT 'sku ' || lower(v.sku), v.product_id FROM ${table(Variant)} v
        WHERE ${own('v')} AND v.project_id = ${projectId} AND lower(v.sku) = ANY(${skus})`,
  );
  return new Map(found.map(({ key, id }) => [key, id]));
}

function productOf({ sku, price_amount, currency, category, inventory_sku, inventory_quantity, ...product }: ProductRowDto, known: Known) {
  const categoryId = category === undefined ? null : found('category', category, known.categories);
  const item = inventory_sku === undefined ? null : found('inventory_sku', inventory_sku, known.items);
  const variant: CreateProductVariantDto = { sku, price_amount, currency, inventory_item_id: item?.id, inventory_quantity };
  return { item, body: { ...product, category_ids: categoryId === null ? [] : [categoryId], variants: [variant] } };
}

function found<V>(column: string, name: string, known: ReadonlyMap<string, V>): V {
  const value = known.get(name.toLowerCase());
  if (value !== undefined) return value;
  throw notOfProject(column, `must name ${column === 'category' ? 'a category' : 'an item of the inventory'} of the project: ${name}`);
}

/** Names the column instead of the path in a product. */
function columnOf<E extends { param: string | null; message: string }>(error: E): E {
  const named = (text: string) => text.replaceAll('variants.0.', '').replaceAll('inventory_item_id', 'inventory_sku');
  return { ...error, param: error.param === null ? null : named(error.param), message: named(error.message) };
}

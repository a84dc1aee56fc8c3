import { Injectable } from '@nestjs/common';
import {
  bothOf,
  Field,
  importResult,
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
import { invalid } from '../model/storefront.errors.js';
import { CreateProductDto } from '../products/product-requests.dto.js';
import { CreateProductVariantDto } from '../products/product-variant.dto.js';
import { ProductsService } from '../products/products.service.js';
import { channelCurrency } from '../products/variant-rules.js';

/** The columns of a file: a product with one variant. */
class ProductRowDto extends bothOf(
  pickOf(CreateProductDto, ['title', 'slug', 'description', 'status', 'tax_class', 'external_id']),
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
  ) {}

  async run(ctx: Ctx, file: CsvSource, query: MoneyImportQuery): Promise<ImportResultDto & { object: string }> {
    const { project_id, dry_run: isDryRun = false } = query;
    const project = await this.projects.resolve(ctx, project_id);
    const read = await readImport(ProductRowDto, file, query, async (rows) => {
      const currency = channelCurrency(null, await this.config.read(ctx, project.id));
      return rows.map((row) => row.currency ?? currency);
    });
    await this.store.write(ctx, async (tx) => {
      const known = await namesOf(tx, project.id);
      const create = ({ value }: ValidRow<ProductRowDto>) =>
        this.products.createIn(ctx, tx, { ...productOf(value, known), project_id: project.id });
      const onRefusal = ({ row }: { row: number }, error: unknown) => read.errors.push(columnOf(refusalOf(row, error)));
      await writeRows(tx, read.valid, create, { isDryRun, together: true, onRefusal });
    });
    return { object: 'product_import', ...importResult(read, isDryRun) };
  }
}

/** Ids of categories and items by their names in lower case. */
interface Known {
  categories: ReadonlyMap<string, string>;
  items: ReadonlyMap<string, string>;
}

async function namesOf(tx: Tx, projectId: string): Promise<Known> {
  const categories = await tx.sql<{ id: string; name: string }>(
    sql`SELECT c.id, lower(c.name) AS name FROM ${table(Category)} c WHERE ${own('c')} AND c.project_id = ${projectId}`,
  );
  const items = await tx.sql<{ id: string; sku: string }>(
    sql`SELECT i.id, lower(i.sku) AS sku FROM ${table(InventoryItem)} i WHERE ${own('i')} AND i.project_id = ${projectId}`,
  );
  return {
    categories: new Map(categories.map(({ id, name }) => [name, id])),
    items: new Map(items.map(({ id, sku }) => [sku, id])),
  };
}

function productOf({ sku, price_amount, currency, category, inventory_sku, inventory_quantity, ...product }: ProductRowDto, known: Known) {
  const categoryId = category === undefined ? null : found('category', category, known.categories);
  const inventory_item_id = inventory_sku === undefined ? null : found('inventory_sku', inventory_sku, known.items);
  return {
    ...product,
    category_ids: categoryId === null ? [] : [categoryId],
    variants: [{ sku, price_amount, currency, inventory_item_id, inventory_quantity } satisfies CreateProductVariantDto],
  };
}

function found(column: string, name: string, ids: ReadonlyMap<string, string>): string {
  const id = ids.get(name.toLowerCase());
  if (id !== undefined) return id;
  throw invalid(column, `must name ${column === 'category' ? 'a category' : 'an item of the inventory'} of the project: ${name}`);
}

/** Names the column instead of the path in a product. */
function columnOf<E extends { param: string | null; message: string }>(error: E): E {
  const named = (text: string) => text.replaceAll('variants.0.', '').replaceAll('inventory_item_id', 'inventory_sku');
  return { ...error, param: error.param === null ? null : named(error.param), message: named(error.message) };
}

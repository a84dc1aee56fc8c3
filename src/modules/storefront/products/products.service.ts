import { Injectable } from '@nestjs/common';
import {
  changedFrom,
  CommonErrors,
  definedOf,
  own,
  Projects,
  sql,
  Store,
  table,
  Through,
  type Condition,
  type Ctx,
  type Page,
  type Tx,
} from '../../../kit/index.js';
import { Category } from '../model/category.entity.js';
import { StorefrontConfig } from '../config/storefront-config.js';
import { Channel } from '../model/channel.entity.js';
import { ProductCategoryRow } from '../model/product-category-row.entity.js';
import { Product } from '../model/product.entity.js';
import { duplicateOf } from '../model/storefront.errors.js';
import { STANDARD_TAX_CLASS } from '../model/values.js';
import { Variant } from '../model/variant.entity.js';
import type { CreateProductDto, ProductsQuery, UpdateProductDto } from './product-requests.dto.js';
import { variantOf, type PutProductVariantDto } from './product-variant.dto.js';
import { ProductDto } from './product.dto.js';
import { ProductEvents } from './products.events.js';
import { insertWithNewSlug } from './slugs.js';
import {
  requireDistinct,
  requireItems,
  requireOptionNames,
  requireOtherOptions,
  variantFields,
  type VariantFields,
} from './variant-rules.js';

const MOST_VARIANTS = 100;
/** Columns of `storefront_product_categories` with an index. */
const SORTED_IN_CATEGORIES = ['created_at', 'title'];

/** A product with a slug. */
export type NewProduct = CreateProductDto & { slug: string };

/** Creates and changes products and their variants. The methods that take a `tx` are part of a larger change. */
@Injectable()
export class ProductsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: StorefrontConfig,
  ) {}

  get(ctx: Ctx, id: string): Promise<Product> {
    return this.store.get(ctx, Product, id);
  }

  page(ctx: Ctx, query: ProductsQuery): Promise<Page<Product>> {
    return this.store.page(ctx, Product, query, ...conditionsOf(query));
  }

  create(ctx: Ctx, body: CreateProductDto): Promise<Product> {
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, body));
  }

  private async createIn(ctx: Ctx, tx: Tx, { project_id, ...body }: CreateProductDto): Promise<Product> {
    const { channel_ids, category_ids = [] } = body;
    const project = await this.projects.resolve(ctx, project_id, [Channel, channel_ids?.[0]], [Category, category_ids[0]]);
    const fields = await this.variantsOf(tx, project.id, body);
    await requireItems(tx, project.id, fields, pathOf);
    await requireNew(tx, project.id, { slug: body.slug, external_id: body.external_id });
    await requireNewSkus(tx, project.id, body.variants, pathOf);
    const { slug } = body;
    const custom_fields = await tx.customFields.ofNew(Product, body.custom_fields, { projectId: project.id });
    const values = { ...valuesOf(ctx, project.id, body), custom_fields };
    const product = await (slug === undefined ? insertWithNewSlug(tx, values) : tx.insert(Product, { ...values, slug }));
    return insertVariants(tx, product, body.variants, fields);
  }

  /** The fields of the variants of a new product; throws if they do not fit each other or the configuration. */
  variantsOf(tx: Tx, projectId: string, { variants, ...body }: CreateProductDto): Promise<VariantFields[]> {
    const ofProduct = { channel_ids: body.channel_ids ?? null, option_names: body.option_names ?? [] };
    requireDistinct(variants, ofProduct.option_names, pathOf);
    return this.config.decide(tx, projectId, (config) =>
      variants.map((variant, index) => variantFields(variant, ofProduct, config, pathOf(index))),
    );
  }

  /** Creates a product whose items are known to exist, and whose slug, SKUs and external id to be new, without waiting for the database. */
  async insertChecked(ctx: Ctx, tx: Tx, projectId: string, body: NewProduct, fields: readonly VariantFields[]): Promise<Product> {
    const custom_fields = await tx.customFields.ofNew(Product, body.custom_fields, { projectId });
    const product = await tx.advanced.pipelined.insert(Product, { ...valuesOf(ctx, projectId, body), slug: body.slug, custom_fields });
    return insertVariants(tx, product, body.variants, fields);
  }

  update(ctx: Ctx, id: string, body: UpdateProductDto): Promise<Product> {
    return this.store.write(ctx, async (tx) => {
      const product = await tx.target(Product, id);
      const variants = await variantsOf(tx, id);
      if (body.option_names) requireOptionNames(body.option_names, variants);
      const changes = definedOf(body);
      await requireNew(tx, product.project_id, {
        slug: changes.slug === product.slug ? undefined : changes.slug,
        external_id: changes.external_id === product.external_id ? undefined : changes.external_id,
      });
      const custom_fields = await tx.customFields.ofChanged(product, body.custom_fields);
      const changed = await tx.update(product, { ...(changes as Partial<Product>), custom_fields });
      return emitUpdated(tx, product, variants, changed, variants);
    });
  }

  /** Creates the variant, or replaces the one with this SKU. */
  putVariant(ctx: Ctx, productId: string, sku: string, body: PutProductVariantDto): Promise<{ variant: Variant; isNew: boolean }> {
    return this.store.write(ctx, async (tx) => {
      const product = await tx.lock(Product, productId);
      const before = await variantsOf(tx, productId);
      const fields = await this.config.decide(tx, product.project_id, (config) => variantFields(body, product, config, ''));
      await requireItems(tx, product.project_id, [fields], () => '');
      const existing = before.find((variant) => variant.sku.toLowerCase() === sku.toLowerCase());
      requireOtherOptions(fields.option_values, before, existing);
      if (!existing) {
        await requireNewSkus(tx, product.project_id, [{ sku }], () => '');
        if (before.length >= MOST_VARIANTS)
          throw CommonErrors.resourceConflict({ message: `A product can have at most ${MOST_VARIANTS} variants.` });
      }
      const position = before.reduce((last, variant) => Math.max(last, variant.position), 0) + 1;
      const variant = existing
        ? await tx.update(await tx.target(Variant, existing.id), { ...fields, prices: fields.prices })
        : await tx.insert(Variant, { ...fields, sku, product_id: product.id, position, project_id: product.project_id });
      if (variant.version !== existing?.version) {
        const after = existing ? before.map((other) => (other.id === variant.id ? variant : other)) : [...before, variant];
        emitUpdated(tx, product, before, await tx.advanced.touch(product), after);
      }
      return { variant, isNew: !existing };
    });
  }
}

function pathOf(variant: number): string {
  return `variants.${variant}.`;
}

function valuesOf(ctx: Ctx, project_id: string, body: CreateProductDto) {
  return {
    project_id,
    title: body.title,
    description: body.description ?? null,
    status: body.status ?? 'draft',
    category_ids: body.category_ids ?? [],
    channel_ids: body.channel_ids ?? null,
    option_names: body.option_names ?? [],
    tax_class: body.tax_class ?? STANDARD_TAX_CLASS,
    image_urls: body.image_urls ?? [],
    external_id: body.external_id ?? null,
    created_by: ctx.actor,
  };
}

async function insertVariants(tx: Tx, product: Product, given: readonly { sku: string }[], fields: readonly VariantFields[]) {
  const { id: product_id, project_id } = product;
  const variants: Variant[] = [];
  for (const [index, { sku }] of given.entries())
    variants.push(await tx.advanced.pipelined.insert(Variant, { ...fields[index], sku, product_id, position: index + 1, project_id }));
  Object.assign(product, { variants: variants.map(variantOf) });
  tx.emit(ProductEvents.productCreated, { object: ProductDto.from(product), projectId: project_id });
  return product;
}

function conditionsOf(query: ProductsQuery): Condition<Product>[] {
  const { channel_id, sku, category_id } = query;
  const conditions: Condition<Product>[] = [];
  if (category_id) conditions.push(inCategories(query));
  if (channel_id)
    conditions.push(
      // without channels, a product is sold in all channels of its project
      sql`t.project_id = (SELECT c.project_id FROM ${table(Channel)} c WHERE ${own('c')} AND c.id = ${channel_id})
        AND (t.channel_ids IS NULL OR t.channel_ids @> ARRAY[${channel_id}]::uuid[])`,
    );
  if (sku)
    conditions.push(
      sql`t.id IN (SELECT v.product_id FROM ${table(Variant)} v
        WHERE ${own('v')} AND lower(v.sku) = ANY(${sku.map((one) => one.toLowerCase())}))`,
    );
  return conditions;
}

/** The products of one category are read in the order in which `storefront_product_categories` has them. */
function inCategories({ category_id: categories = [], sort = '-created_at', q }: ProductsQuery): Condition<Product> {
  if (categories.length === 1 && !q && SORTED_IN_CATEGORIES.includes(sort.replace('-', '')))
    return new Through(
      ProductCategoryRow,
      'product_id',
      ['mode', ...SORTED_IN_CATEGORIES],
      sql`c.category_id = ${categories[0]} AND ${own('p')}`,
    );
  return sql`t.id IN (SELECT c.product_id FROM ${table(ProductCategoryRow)} c WHERE c.category_id = ANY(${categories}))`;
}

async function variantsOf(tx: Tx, productId: string): Promise<Variant[]> {
  return (await tx.list(Variant, { product_id: productId })).sort((a, b) => a.position - b.position);
}

function emitUpdated(tx: Tx, before: Product, old: readonly Variant[], changed: Product, variants: readonly Variant[]): Product {
  const object = ProductDto.from(changed, variants.map(variantOf));
  if (changed.version !== before.version)
    tx.emit(ProductEvents.productUpdated, {
      object,
      previous: changedFrom(ProductDto.from(before, old.map(variantOf)), object),
      projectId: changed.project_id,
    });
  return Object.assign(changed, { variants: object.variants });
}

/** Throws 409 `duplicate` with the id of the product that has the value, also if that is created in the meantime. */
async function requireNew(tx: Tx, projectId: string, { slug, external_id }: { slug?: string; external_id?: string | null }): Promise<void> {
  if (slug === undefined && !external_id) return;
  tx.advanced.retryOnConflict();
  const rows = await tx.sql<{ id: string; has_external_id: boolean | null }>(
    sql`SELECT p.id, p.external_id = ${external_id ?? null} AS has_external_id FROM ${table(Product)} p
      WHERE ${own('p')} AND p.project_id = ${projectId} AND (p.slug = ${slug ?? null} OR p.external_id = ${external_id ?? null})`,
  );
  // the external id is more specific: a repeated row of an import has both
  const found = rows.find(({ has_external_id }) => has_external_id) ?? rows[0];
  if (found)
    throw found.has_external_id
      ? duplicateOf('external_id', external_id as string, found.id)
      : duplicateOf('slug', slug as string, found.id);
}

async function requireNewSkus(
  tx: Tx,
  projectId: string,
  given: readonly { sku: string }[],
  pathOf: (index: number) => string,
): Promise<void> {
  const skus = given.map(({ sku }) => sku.toLowerCase());
  tx.advanced.retryOnConflict();
  const [found] = await tx.sql<{ sku: string; product_id: string }>(
    sql`SELECT lower(v.sku) AS sku, v.product_id FROM ${table(Variant)} v
      WHERE ${own('v')} AND v.project_id = ${projectId} AND lower(v.sku) = ANY(${skus}) LIMIT 1`,
  );
  if (!found) return;
  const index = skus.indexOf(found.sku);
  throw duplicateOf(`${pathOf(index)}sku`, given[index].sku, found.product_id);
}

import { Injectable } from '@nestjs/common';
import {
  changedFrom,
  CommonErrors,
  definedOf,
  Projects,
  Store,
  sql,
  type Condition,
  type Ctx,
  type Page,
  type Tx,
} from '../../../kit/index.js';
import { StorefrontConfig } from '../config/storefront-config.js';
import { Product } from '../model/product.entity.js';
import { duplicateOf } from '../model/storefront.errors.js';
import { STANDARD_TAX_CLASS } from '../model/values.js';
import { Variant } from '../model/variant.entity.js';
import type { CreateProductDto, ProductsQuery, UpdateProductDto } from './product-requests.dto.js';
import { shownOf, type PutProductVariantDto } from './product-variant.dto.js';
import { ProductDto } from './product.dto.js';
import { ProductEvents } from './products.events.js';
import { insertWithNewSlug } from './slugs.js';
import { requireDistinct, requireItems, requireOptionNames, requireOtherOptions, variantFields } from './variant-rules.js';

const MOST_VARIANTS = 100;
/** Columns of `storefront_product_categories` with an index. */
const SORTED_IN_CATEGORIES = ['created_at', 'title'];

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
    return this.store.page(ctx, Product, query, ...conditionsOf(ctx, query));
  }

  create(ctx: Ctx, body: CreateProductDto): Promise<Product> {
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, body));
  }

  async createIn(ctx: Ctx, tx: Tx, { project_id, variants: given, ...body }: CreateProductDto): Promise<Product> {
    const project = await this.projects.resolve(ctx, project_id);
    const ofProduct = { channel_ids: body.channel_ids ?? null, option_names: body.option_names ?? [] };
    const pathOf = (index: number) => `variants.${index}.`;
    requireDistinct(given, ofProduct.option_names, pathOf);
    const fields = await this.config.decide(tx, project.id, (config) =>
      given.map((variant, index) => variantFields(variant, ofProduct, config, pathOf(index))),
    );
    await requireItems(tx, project.id, fields, pathOf);
    await requireNew(ctx, tx, project.id, { slug: body.slug, external_id: body.external_id });
    await requireNewSkus(ctx, tx, project.id, given, pathOf);
    const values = {
      project_id: project.id,
      title: body.title,
      description: body.description ?? null,
      status: body.status ?? 'draft',
      category_ids: body.category_ids ?? [],
      ...ofProduct,
      tax_class: body.tax_class ?? STANDARD_TAX_CLASS,
      image_urls: body.image_urls ?? [],
      external_id: body.external_id ?? null,
      created_by: ctx.actor,
    };
    const { slug } = body;
    const product = await (slug === undefined ? insertWithNewSlug(ctx, tx, values) : tx.insert(Product, { ...values, slug }));
    const variants: Variant[] = [];
    for (const [index, { sku }] of given.entries()) {
      const values = { ...fields[index], sku, product_id: product.id, position: index + 1 };
      variants.push(await tx.insert(Variant, { ...values, project_id: project.id }, { pipelined: true }));
    }
    Object.assign(product, { variants: variants.map(shownOf) });
    tx.emit(ProductEvents.productCreated, { object: ProductDto.from(product), projectId: product.project_id });
    return product;
  }

  update(ctx: Ctx, id: string, body: UpdateProductDto): Promise<Product> {
    return this.store.write(ctx, async (tx) => {
      const product = await tx.target(Product, id);
      const variants = await variantsOf(tx, id);
      if (body.option_names) requireOptionNames(body.option_names, variants);
      const changes = definedOf(body);
      await requireNew(ctx, tx, product.project_id, {
        slug: changes.slug === product.slug ? undefined : changes.slug,
        external_id: changes.external_id === product.external_id ? undefined : changes.external_id,
      });
      const changed = await tx.update(product, changes as Partial<Product>);
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
        await requireNewSkus(ctx, tx, product.project_id, [{ sku }], () => '');
        if (before.length >= MOST_VARIANTS)
          throw CommonErrors.resourceConflict({ message: `A product can have at most ${MOST_VARIANTS} variants.` });
      }
      const position = before.reduce((last, variant) => Math.max(last, variant.position), 0) + 1;
      const variant = existing
        ? await tx.update(await tx.target(Variant, existing.id), { ...fields, prices: fields.prices })
        : await tx.insert(Variant, { ...fields, sku, product_id: product.id, position, project_id: product.project_id });
      if (variant.version !== existing?.version) {
        const after = existing ? before.map((other) => (other.id === variant.id ? variant : other)) : [...before, variant];
        emitUpdated(tx, product, before, await tx.touch(product), after);
      }
      return { variant, isNew: !existing };
    });
  }
}

function conditionsOf(ctx: Ctx, query: ProductsQuery): Condition[] {
  const { channel_id, sku, category_id } = query;
  const conditions: Condition[] = [];
  if (category_id) conditions.push(inCategories(query));
  if (channel_id)
    conditions.push({
      // without channels, a product is sold in all channels of its project
      sql: `t.project_id = (SELECT c.project_id FROM storefront_channels c WHERE c.id = :channel AND c.organization_id = :organization)
        AND (t.channel_ids IS NULL OR t.channel_ids @> ARRAY[:channel]::uuid[])`,
      values: { channel: channel_id, organization: ctx.organizationId },
    });
  if (sku)
    conditions.push({
      sql: `t.id IN (SELECT v.product_id FROM storefront_variants v
        WHERE v.organization_id = :organization AND v.mode = :mode AND lower(v.sku) = ANY(:skus))`,
      values: { organization: ctx.organizationId, mode: ctx.mode, skus: sku.map((one) => one.toLowerCase()) },
    });
  return conditions;
}

/** The products of one category are read in the order in which `storefront_product_categories` has them. */
function inCategories({ category_id: categories = [], sort = '-created_at', q }: ProductsQuery): Condition {
  const values = { categories };
  const sql = 'c.category_id IN (:...categories)';
  if (categories.length === 1 && !q && SORTED_IN_CATEGORIES.includes(sort.replace('-', '')))
    return {
      sql,
      values,
      through: { table: 'storefront_product_categories', key: 'product_id', columns: ['mode', ...SORTED_IN_CATEGORIES] },
    };
  return { sql: `t.id IN (SELECT c.product_id FROM storefront_product_categories c WHERE ${sql})`, values };
}

async function variantsOf(tx: Tx, productId: string): Promise<Variant[]> {
  return (await tx.list(Variant, { product_id: productId })).sort((a, b) => a.position - b.position);
}

function emitUpdated(tx: Tx, before: Product, old: readonly Variant[], changed: Product, variants: readonly Variant[]): Product {
  const object = ProductDto.from(changed, variants.map(shownOf));
  if (changed.version !== before.version)
    tx.emit(ProductEvents.productUpdated, {
      object,
      previous: changedFrom(ProductDto.from(before, old.map(shownOf)), object),
      projectId: changed.project_id,
    });
  return Object.assign(changed, { variants: object.variants });
}

/** Throws 409 `duplicate` with the id of the product that has the value, also if that is created in the meantime. */
async function requireNew(
  ctx: Ctx,
  tx: Tx,
  projectId: string,
  { slug, external_id }: { slug?: string; external_id?: string | null },
): Promise<void> {
  if (slug === undefined && !external_id) return;
  tx.repeatIfTaken();
  const rows = await tx.query<{ id: string; has_external_id: boolean | null }>(
    sql.legacy(
      `SELECT id, external_id = $5 AS has_external_id FROM storefront_products
       WHERE organization_id = $1 AND project_id = $2 AND mode = $3 AND (slug = $4 OR external_id = $5)`,
      [ctx.organizationId, projectId, ctx.mode, slug ?? null, external_id ?? null],
    ),
  );
  // the external id is more specific: a repeated row of an import has both
  const found = rows.find(({ has_external_id }) => has_external_id) ?? rows[0];
  if (found)
    throw found.has_external_id
      ? duplicateOf('external_id', external_id as string, found.id)
      : duplicateOf('slug', slug as string, found.id);
}

async function requireNewSkus(
  ctx: Ctx,
  tx: Tx,
  projectId: string,
  given: readonly { sku: string }[],
  pathOf: (index: number) => string,
): Promise<void> {
  const skus = given.map(({ sku }) => sku.toLowerCase());
  tx.repeatIfTaken();
  const [found] = await tx.query<{ sku: string; product_id: string }>(
    sql.legacy(
      `SELECT lower(sku) AS sku, product_id FROM storefront_variants
       WHERE organization_id = $1 AND project_id = $2 AND mode = $3 AND lower(sku) = ANY($4) LIMIT 1`,
      [ctx.organizationId, projectId, ctx.mode, skus],
    ),
  );
  if (!found) return;
  const index = skus.indexOf(found.sku);
  throw duplicateOf(`${pathOf(index)}sku`, given[index].sku, found.product_id);
}

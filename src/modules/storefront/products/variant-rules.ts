import { CommonErrors, notOfProject, plainDecimal, requireCurrency, unitsOf, type Tx } from '../../../kit/index.js';
import { InventoryItem } from '../../inventory/inventory.public.js';
import type { ProjectStorefront } from '../config/storefront-config.js';
import { invalid, missing } from '../model/storefront.errors.js';
import type { Price } from '../model/values.js';
import type { Variant } from '../model/variant.entity.js';
import type { CreateProductVariantDto, PutProductVariantDto } from './product-variant.dto.js';

export type VariantFields = Pick<
  Variant,
  'option_values' | 'price_amount' | 'currency' | 'prices' | 'inventory_item_id' | 'inventory_quantity' | 'active'
>;

interface OfProduct {
  channel_ids: readonly string[] | null;
  option_names: readonly string[];
}

/** The fields of a variant as they are stored. `path` is that of the variant in the body, with a point at its end, or empty. */
export function variantFields(body: PutProductVariantDto, product: OfProduct, config: ProjectStorefront, path: string): VariantFields {
  const option_values = body.option_values ?? [];
  requireOptionValues(option_values, product.option_names, `${path}option_values`);
  const currency = body.currency ?? currencyOf(product, config, path);
  requireCurrency(`${path}currency`, currency);
  return {
    option_values,
    price_amount: body.price_amount,
    currency,
    prices: pricesOf(body, currency, path),
    inventory_item_id: body.inventory_item_id ?? null,
    inventory_quantity: plainDecimal(body.inventory_quantity ?? '1'),
    active: body.active ?? true,
  };
}

function requireOptionValues(values: readonly string[], names: readonly string[], param: string): void {
  if (values.length === names.length) return;
  const wanted = names.length === 0 ? 'none, because the product has no option_names' : `one for each of ${names.join(', ')}`;
  throw invalid(param, `must have ${names.length} values: ${wanted}`);
}

/** New names of options must fit the variants. */
export function requireOptionNames(names: readonly string[], variants: readonly Variant[]): void {
  const other = variants.find(({ option_values }) => option_values.length !== names.length);
  if (other) throw invalid('option_names', `must have ${other.option_values.length} names, one for each of the variants' option_values`);
}

/** The variants of a new product differ in SKU and options. */
export function requireDistinct(
  given: readonly CreateProductVariantDto[],
  names: readonly string[],
  pathOf: (index: number) => string,
): void {
  const seen = new Map<string, number>();
  const requireNew = (index: number, name: 'sku' | 'option_values', value: unknown, hint = '') => {
    const key = JSON.stringify([name, value]);
    const first = seen.get(key);
    if (first !== undefined) throw invalid(`${pathOf(index)}${name}`, `must not repeat that of variants.${first}${hint}`);
    seen.set(key, index);
  };
  const hint = names.length === 0 ? ': a product without option_names has one variant' : '';
  for (const [index, { sku, option_values = [] }] of given.entries()) {
    requireNew(index, 'sku', sku.toLowerCase());
    requireNew(index, 'option_values', option_values, hint);
  }
}

/** 409 `duplicate` with the id of the variant that has the options. */
export function requireOtherOptions(values: readonly string[], variants: readonly Variant[], own: Variant | undefined): void {
  const other = variants.find((variant) => variant !== own && JSON.stringify(variant.option_values) === JSON.stringify(values));
  if (!other) return;
  const what = values.length === 0 ? 'A product without option_names has one variant' : `option_values ${values.join(', ')} exist already`;
  throw CommonErrors.duplicate({ param: 'option_values', message: `${what}: ${other.sku}`, extra: { existing_id: other.id } });
}

/** The currency of the channels that sell the product; null if they do not have the same one. */
export function channelCurrency(channel_ids: readonly string[] | null, { channels }: ProjectStorefront): string | null {
  const currencies = new Set(
    channels.filter(({ id, active }) => (channel_ids === null ? active : channel_ids.includes(id))).map(({ currency }) => currency),
  );
  return currencies.size === 1 ? [...currencies][0] : null;
}

function currencyOf({ channel_ids }: OfProduct, config: ProjectStorefront, path: string): string {
  const currency = channelCurrency(channel_ids, config);
  if (currency !== null) return currency;
  throw missing(`${path}currency`, 'is required, because the channels of the product do not have one currency');
}

function pricesOf({ prices = [] }: PutProductVariantDto, own: string, path: string): Price[] {
  const seen = new Set([own]);
  return prices.map(({ currency, price_amount, compare_at_amount = null }, index) => {
    const param = `${path}prices.${index}.currency`;
    requireCurrency(param, currency);
    if (seen.has(currency)) throw invalid(param, `must not repeat a currency: ${currency}`);
    seen.add(currency);
    return { currency, price_amount, compare_at_amount };
  });
}

/** Requires items of the project and mode whose precision is sufficient for the quantity. */
export async function requireItems(tx: Tx, projectId: string, variants: readonly VariantFields[], pathOf: (index: number) => string) {
  const ids = [...new Set(variants.flatMap(({ inventory_item_id }) => inventory_item_id ?? []))];
  if (ids.length === 0) return;
  const items = new Map((await tx.list(InventoryItem, { id: ids, project_id: projectId })).map((item) => [item.id, item]));
  for (const [index, variant] of variants.entries())
    if (variant.inventory_item_id !== null) requirePrecision(items.get(variant.inventory_item_id), variant, pathOf(index));
}

/** Requires an item whose precision is sufficient for the quantity. */
export function requirePrecision(
  item: Pick<InventoryItem, 'quantity_scale'> | undefined,
  { inventory_quantity }: Pick<VariantFields, 'inventory_quantity'>,
  path: string,
): void {
  if (!item) throw notOfProject(`${path}inventory_item_id`, 'must be an item of the inventory in the same project');
  const scale = item.quantity_scale;
  if (unitsOf(inventory_quantity, 6) % 10n ** BigInt(6 - scale) !== 0n)
    throw invalid(`${path}inventory_quantity`, `must have at most ${scale} decimal places, as the item has`);
}

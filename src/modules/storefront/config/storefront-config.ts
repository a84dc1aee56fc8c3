import { Injectable } from '@nestjs/common';
import { CachedProjectConfig, notOneOf, plainDecimal, Store, type RowReader } from '../../../kit/index.js';
import { Channel } from '../model/channel.entity.js';
import { ShippingMethod } from '../model/shipping-method.entity.js';
import { StorefrontErrors } from '../model/storefront.errors.js';
import { TaxRate } from '../model/tax-rate.entity.js';

/** The configuration by which the orders of one project are priced and placed. */
export interface ProjectStorefront {
  channels: readonly Channel[];
  shippingMethods: readonly ShippingMethod[];
  taxRates: readonly TaxRate[];
}

/** The configuration of projects, cached in memory. Foreign keys reject references to rows that were deleted in the meantime. */
@Injectable()
export class StorefrontConfig extends CachedProjectConfig<ProjectStorefront> {
  constructor(store: Store) {
    super(store, 'storefront configuration');
  }

  protected async load(rows: RowReader, project_id: string): Promise<ProjectStorefront> {
    const [channels, shippingMethods, taxRates] = await Promise.all([
      rows.list(Channel, { project_id }),
      rows.list(ShippingMethod, { project_id }),
      rows.list(TaxRate, { project_id }),
    ]);
    for (const rate of taxRates) rate.rate = plainDecimal(rate.rate);
    return { channels, shippingMethods, taxRates };
  }
}

/** An active channel of the project. */
export function requireChannel({ channels }: ProjectStorefront, id: string): Channel {
  const found = channels.find((channel) => channel.id === id && channel.active);
  if (!found)
    throw notOneOf(
      'channel_id',
      'must be an active channel of the project',
      channels.filter(({ active }) => active),
      'name',
    );
  return found;
}

/** An active shipping method that ships to the country and is priced in the currency. */
export function requireShippingMethod(
  { shippingMethods }: ProjectStorefront,
  id: string,
  currency: string,
  country: string,
): ShippingMethod {
  const usable = shippingMethods.filter(
    (method) => method.active && method.currency === currency && (method.countries.length === 0 || method.countries.includes(country)),
  );
  const found = usable.find((method) => method.id === id);
  if (!found)
    throw notOneOf('shipping_method_id', `must be an active shipping method in ${currency} that ships to ${country}`, usable, 'name');
  return found;
}

/** Throws 409 `tax_rate_missing` unless there is a rate for the country and class. */
export function requireTaxRate({ taxRates }: ProjectStorefront, country: string, taxClass: string, param: string): TaxRate {
  const found = taxRates.find((rate) => rate.country === country && rate.tax_class === taxClass);
  if (found) return found;
  throw StorefrontErrors.taxRateMissing({
    param,
    message: `There is no tax rate for ${country} and the tax class ${taxClass}; a member has to add it to the settings of the storefront.`,
    extra: { country, tax_class: taxClass },
  });
}

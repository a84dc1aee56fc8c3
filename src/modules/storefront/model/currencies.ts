import { invalid } from './storefront.errors.js';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export function requireCurrency(param: string, currency: string | undefined): void {
  if (currency !== undefined && !CURRENCIES.has(currency)) throw invalid(param, 'must be an ISO 4217 code, for example EUR');
}

import type { DomainError } from '../../../kit/index.js';
import { invalid } from '../model/accounting.errors.js';
import type { CustomerSnapshot } from '../model/invoice.entity.js';
import type { Seller } from '../model/settings.entity.js';
import { REASONED_CATEGORIES, type TaxCategory, type TaxRate } from '../model/tax.entity.js';
import { isRegistration, vatStateOf } from './vat-numbers.js';

type LineTax = Pick<TaxRate, 'code' | 'category' | 'exemption_reason'>;

/**
 * The rules of EN 16931 about tax categories that a draft may break, because its customer and taxes can change until it is issued. That
 * only the category S has a rate is a rule of the tax itself. `taxes` are those of the lines.
 */
export function requireTaxRules(taxes: readonly LineTax[], customer: CustomerSnapshot, seller: Seller): void {
  const other = taxes.find(({ category }) => category !== 'O');
  for (const [index, tax] of taxes.entries()) {
    const { category } = tax;
    // BR-E-10, BR-AE-10, BR-IC-10, BR-G-10, BR-O-10
    if (REASONED_CATEGORIES.includes(category) && !tax.exemption_reason)
      throw broken(index, tax, 'which needs a reason: a member must set exemption_reason of the tax');
    // BR-O-11 to BR-O-14
    if (category === 'O' && other)
      throw broken(index, tax, `which cannot be on one invoice with other categories, such as ${other.category} of ${other.code}`);
    requireVatNumber(index, tax, customer.tax_id_number, seller.tax_id_number);
  }
}

/**
 * BR-AE-02: a buyer under reverse charge has a VAT number or a legal registration, of any country. BR-IC-02: one of an intra-community
 * supply has a VAT number, which is of another member state than the seller's.
 */
function requireVatNumber(index: number, tax: LineTax, number: string | null, sellers: string | null | undefined): void {
  if (tax.category === 'AE' && !isRegistration(number))
    throw broken(
      index,
      tax,
      `which needs the VAT number, such as DE123456789, or the legal registration of the customer, ${isNow(number)}: ` +
        'set tax_id_number with update_customer',
    );
  if (tax.category !== 'K') return;
  const state = vatStateOf(number);
  if (state === null)
    throw broken(
      index,
      tax,
      'which needs the VAT number of the customer in another member state of the EU, such as ATU12345678 ' +
        `(Greece: EL, Northern Ireland: XI), ${isNow(number)}: set tax_id_number with update_customer`,
    );
  if (state === vatStateOf(sellers))
    throw broken(
      index,
      tax,
      `which needs a customer in another member state of the EU than the seller: both VAT numbers begin with ${state}`,
    );
}

function isNow(number: string | null): string {
  return number?.trim() ? `and tax_id_number is "${number}"` : 'and tax_id_number is empty';
}

function broken(index: number, { code, category }: LineTax, rule: string): DomainError {
  return invalid(`lines.${index}.tax_id`, `is the tax ${code} with the category ${category}, ${rule}`);
}

/** The reasons of taxes that an invoice shows as one. */
export function reasonOf(taxes: readonly { category: TaxCategory; exemption_reason: string | null }[]): string | null {
  return [...new Set(taxes.flatMap(({ exemption_reason }) => exemption_reason ?? []))].join('; ') || null;
}

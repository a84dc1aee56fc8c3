import type { DomainError } from '../../../kit/index.js';
import { invalid } from '../model/accounting.errors.js';
import type { CustomerSnapshot } from '../model/invoice.entity.js';
import { REASONED_CATEGORIES, type TaxCategory, type TaxRate } from '../model/tax.entity.js';

type LineTax = Pick<TaxRate, 'code' | 'category' | 'exemption_reason'>;

/** Prefixes of the VAT numbers of the European Union's member states; XI is Northern Ireland, for goods. */
const EU_NUMBER = /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)[0-9A-Z+*]{2,13}$/;

/**
 * The rules of EN 16931 about tax categories that a draft may break, because its customer and taxes can change until it is issued. That
 * only the category S has a rate is a rule of the tax itself. `taxes` are those of the lines.
 */
export function requireTaxRules(taxes: readonly LineTax[], customer: CustomerSnapshot): void {
  const other = taxes.find(({ category }) => category !== 'O');
  for (const [index, tax] of taxes.entries()) {
    const { category } = tax;
    // BR-E-10, BR-AE-10, BR-IC-10, BR-G-10, BR-O-10
    if (REASONED_CATEGORIES.includes(category) && !tax.exemption_reason)
      throw broken(index, tax, 'which needs a reason: a member must set exemption_reason of the tax');
    // BR-O-11 to BR-O-14
    if (category === 'O' && other)
      throw broken(index, tax, `which cannot be on one invoice with other categories, such as ${other.category} of ${other.code}`);
    requireVatNumber(index, tax, customer.tax_id_number);
  }
}

/** BR-AE-02 and BR-IC-02. */
function requireVatNumber(index: number, tax: LineTax, number: string | null): void {
  if (tax.category === 'AE' && !number?.trim())
    throw broken(index, tax, 'which needs the VAT number of the customer: set tax_id_number with update_customer');
  if (tax.category === 'K' && !EU_NUMBER.test((number ?? '').replace(/[\s.-]/g, '').toUpperCase()))
    throw broken(
      index,
      tax,
      'which needs the VAT number of the customer in another member state of the EU, such as ATU12345678: ' +
        'set tax_id_number with update_customer',
    );
}

function broken(index: number, { code, category }: LineTax, rule: string): DomainError {
  return invalid(`lines.${index}.tax_id`, `is the tax ${code} with the category ${category}, ${rule}`);
}

/** The reasons of taxes that an invoice shows as one. */
export function reasonOf(taxes: readonly { category: TaxCategory; exemption_reason: string | null }[]): string | null {
  return [...new Set(taxes.flatMap(({ exemption_reason }) => exemption_reason ?? []))].join('; ') || null;
}

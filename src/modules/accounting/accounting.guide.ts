/** The module's guide for agents. */
export const ACCOUNTING_GUIDE = `
Invoices and books of a project. All amounts are integers in the minor unit of their currency: 12500 EUR is 125.00 euros. Quantities,
percentages and exchange rates are decimal strings.

Orders of the storefront invoice themselves when they are paid, or when they are fulfilled, if the project's setting order_invoicing says
so: such an invoice has source with the order's id, and refunds become credit notes. Look with list_invoices and customer_id before you
invoice an order by hand. An answer with notice says that the order in memo or external_id has an invoice already: do not issue a second.

The usual order of calls:
1. get_accounting_context, or list_accounts, list_tax_rates and list_accounting_periods: accounts, taxes and open months.
2. list_customers with email or external_id; create_customer if there is none.
3. create_invoice with lines and an idempotency_key. It is a draft: check totals and taxes, correct it with update_invoice.
4. issue_invoice. The invoice gets its number, is posted to the ledger and never changes again. Taxes of the categories K and AE need the
   customer's VAT number (tax_id_number of update_customer), and O cannot be combined with other categories.
5. request_invoice_payment says how the customer pays: on a page of the payment provider, or by a transfer with a reference.
   record_payment with amount and paid_on; with provider and its reference a repeated report is refused. On 409
   payment_exceeds_balance, send what is open, or excess "credit", which keeps the rest as a credit of the customer; apply_credit settles
   other invoices with it.

Corrections: create_credit_note credits all or some lines and settles the invoice first. void_invoice is only for what nobody paid, in an
open month; otherwise it answers 409 use_credit_note. reverse_payment undoes a payment, on the bank's date with reversed_on.
reverse_journal_entry undoes entries posted by hand; those of invoices and payments cannot be reversed alone. A manual line on the account
with the role receivable or customer_credit needs customer_id.

409 period_closed: the month is closed; use a date in an open one. 409 setup_incomplete: members must complete the settings; details names
what is missing. A foreign currency needs exchange_rate: base currency per unit.

Send external_id with what you import: a repeat answers 409 duplicate with existing_id instead of creating it twice.
Reports: get_trial_balance, get_balance_sheet, get_profit_and_loss, get_aged_receivables. Test mode has numbers of its own (TEST-), and
shares accounts, taxes and closed months with live mode.
`.trim();

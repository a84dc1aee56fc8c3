/** The module's guide for agents. */
export const STOREFRONT_GUIDE = `
The storefront has products with variants, and orders of them with payments, refunds and parcels. Amounts are whole numbers in the
currency's minor unit: 12900 EUR is 129.00 euros.

The usual order of calls:
1. get_storefront_context for ids: projects, channels, categories and shipping methods in one call. A channel gives an order its
   currency and prices. Use only ids that calls return.
2. list_products with q, sku or channel_id, status active, expand availability and fields title, variants: variants have the id that
   order lines take. get_product has them, too.
3. create_order with channel_id and lines: a draft, which is a cart. Add email, shipping_method_id, shipping_address and
   discount_code, also later by update_order; it is priced again with each change. Show the buyer totals.
4. place_order with expected_total_amount, the total that the buyer agreed to. It fixes prices, reserves the stock and gives the
   number. On totals_changed ask the buyer again; on insufficient_stock order at most what details shows as available.
5. request_order_payment says how the buyer pays: on a page of the payment provider, or by a transfer with a reference.
   record_order_payment when money has arrived, with the provider's reference. No call moves money.
6. fulfill_order when goods leave. Without lines it sends all that is left, and the buyer gets a mail; notify false sends none.
   cancel_fulfillment takes a parcel back.

Paid orders invoice themselves in accounting, or fulfilled ones, if the project's setting order_invoicing says so; payments and refunds
follow. Do not create another invoice for such an order: that of list_invoices with the order's id in source is its invoice.

Before shipping use cancel_order, with lines for a part; it refunds nothing. After shipping use refund_order with lines, and restock
true if the goods come back. totals.refund_due_amount says what is owed to the buyer, due_amount what the buyer owes. While something
is due, nothing can be refunded: 409 refund_exceeds_payment. An amount is refunded for what was paid and cancelled first.

Three fields describe an order's progress: state (draft, open, completed, cancelled), payment_state and fulfillment_state. A placed order
keeps its lines and prices; to change them, cancel it and create another one.

Change prices with put_product_variant, which replaces the variant: send all of its fields. Channels, shipping methods, tax rates
and discount codes are set up by members, not by keys. Send an idempotency_key with each write, so that a retry does not repeat it.
`.trim();

/** The module's guide for agents. */
export const INVENTORY_GUIDE = `
Items are stored at locations. A stock level is what is there of an item at one location: on_hand, of which a part is reserved and a part
held because it has expired; available = on_hand - reserved - held is what can be reserved or issued. list_items shows the sums over
all locations. Quantities are decimal strings in the item's unit; amounts are integers in the minor unit of its currency.

The usual order of calls:
1. get_inventory_context: projects, locations and reasons in one call. Send only ids and codes that these calls return.
2. list_items with sku, barcode or q to find the item; list_stock_levels with its id to see where it is.
3. record_stock_movement, with a reference such as the order number:
   - receipt adds stock; cost_amount is what all of it costs. Without it, cost_source of the movement says what was used: "none" means 0.
   - issue takes stock. It never takes what is reserved for others; send reservation_id to consume a reservation.
   - count says what is there. Send expected_on_hand with what you saw: stock_changed means that another change came first.
   - adjust adds a signed quantity. Give a reason.
   batch_stock_movements records up to 100; atomic: true for all or nothing.
4. transfer_stock moves stock to another location, at once or with in_transit: true until receive_stock_transfer. What got lost is
   written off with lost_quantity. cancel_stock_transfer returns it while nothing has arrived.
5. create_stock_reservation reserves stock for a reference until it is consumed, released with release_stock_reservation, or expired.

Errors:
- insufficient_stock: details shows what was requested and what is available for each item and location. Request at most that.
- stock_reserved: the stock is there, but details lists the reservations that hold it. Release them, or send with a movement
  release_reservations: true to shorten the newest ones if the stock is really gone.
- serial_in_stock: the serial number is in stock or in transit already.

Movements are never changed or deleted: correct a mistake by another movement. A tracked item needs lot.code where stock enters or is
counted; without it, issues take what expires first. Expired lots leave only if they are named. Costs follow the order of recording:
occurred_at is for information only. Imports repeat safely with external_id: a repeat is refused as duplicate with the existing id.
`.trim();

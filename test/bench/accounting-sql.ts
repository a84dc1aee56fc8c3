import { Client } from 'pg';

/**
 * The statements of issuing an invoice on the product's tables, in one round trip: the draft with its lines, customer and month; the
 * number; the entry with its lines; the invoice; three domain events with their deliveries, and the job of the internal one's listener.
 */
const BARE_ISSUE = `
  CREATE OR REPLACE FUNCTION bare_issue(invoice uuid, entry uuid, event_ids uuid[], types text[], rest text) RETURNS text
  LANGUAGE plpgsql AS $$
  DECLARE i accounting_invoices; c accounting_customers; entry_number integer; sequence integer; last_on date; revenue uuid;
    receivable uuid; tax uuid; issued date := current_date; numbered text; n bigint;
  BEGIN
    SELECT * INTO i FROM accounting_invoices WHERE id = invoice FOR UPDATE;
    IF i.status <> 'draft' THEN RETURN NULL; END IF;
    SELECT * INTO c FROM accounting_customers WHERE id = i.customer_id;
    SELECT l.account_id INTO revenue FROM accounting_invoice_lines l WHERE l.invoice_id = invoice LIMIT 1;
    SELECT id INTO receivable FROM accounting_accounts WHERE project_id = i.project_id AND role = 'receivable';
    SELECT id INTO tax FROM accounting_accounts WHERE project_id = i.project_id AND role = 'tax';
    IF accounting_take_period(i.organization_id, i.project_id, issued) = 'closed' THEN RETURN NULL; END IF;
    INSERT INTO counters AS k (organization_id, project_id, mode, series, last)
      VALUES (i.organization_id, i.project_id, 'live', 'accounting invoice 2026', 1)
      ON CONFLICT (organization_id, project_id, mode, series) DO UPDATE SET last = k.last + 1 RETURNING last INTO sequence;
    SELECT max(issued_on) INTO last_on FROM accounting_invoices
      WHERE project_id = i.project_id AND mode = 'live' AND type = 'invoice' AND number IS NOT NULL AND issued_on > '2020-01-01';
    IF last_on > issued THEN RETURN NULL; END IF;
    numbered := 'INV-' || lpad(sequence::text, 7, '0');
    INSERT INTO accounting_journal_entries (id, organization_id, project_id, mode, number, "on", memo, currency, exchange_rate, source_type,
      source_id, line_count, account_ids, created_by)
    VALUES (entry, i.organization_id, i.project_id, 'live', 'JE-' || numbered, issued, 'Invoice ' || numbered, i.currency, 1, 'invoice',
      i.id, 3, ARRAY[receivable, revenue, tax], '{"type":"api_key"}');
    INSERT INTO accounting_journal_lines (entry_id, position, organization_id, project_id, mode, posted_on, account_id, debit_amount,
      credit_amount, base_debit_amount, base_credit_amount)
    VALUES (entry, 1, i.organization_id, i.project_id, 'live', issued, receivable, i.gross_amount, 0, i.gross_amount, 0),
      (entry, 2, i.organization_id, i.project_id, 'live', issued, revenue, 0, i.net_amount, 0, i.net_amount),
      (entry, 3, i.organization_id, i.project_id, 'live', issued, tax, 0, i.tax_amount, 0, i.tax_amount);
    UPDATE accounting_invoices SET number = numbered, status = 'issued', issued_on = issued, due_on = issued + c.payment_terms_days,
      seller_snapshot = '{"name":"Acme GmbH"}', journal_entry_id = entry, version = version + 1, updated_at = now() WHERE id = invoice;
    FOR e IN 1..3 LOOP
      n := nextval('outbox_events_sequence');
      INSERT INTO outbox_events (sequence, id, organization_id, project_id, mode, type, internal, body)
      VALUES (n, event_ids[e], i.organization_id, i.project_id, 'live', types[e], e = 3, '{"sequence":' || n || ',' || rest);
    END LOOP;
    INSERT INTO jobs (id, name, organization_id, project_id, mode, actor, payload, status, due_at)
    VALUES (gen_random_uuid(), 'documents.hear_event', i.organization_id, i.project_id, 'live', '{}', '{}', 'done', now());
    RETURN numbered;
  END $$`;

export async function createBareIssue(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(BARE_ISSUE);
  } finally {
    await client.end();
  }
}

/**
 * The stored balance of each account in a closed month, and the balance of the closed month before it plus the lines since, so that every
 * line is read once. Only the first month of an account that differs is reported.
 */
const ACCOUNT_BALANCES = `
  SELECT DISTINCT ON (b.account_id) 'account_balance', b.account_id, b.stored, b.carried + COALESCE(s.net, 0)
  FROM (
    SELECT a.id AS account_id, m.month, m.since, COALESCE(b.debit_amount - b.credit_amount, 0) AS stored,
      lag(COALESCE(b.debit_amount - b.credit_amount, 0), 1, 0) OVER (PARTITION BY a.id ORDER BY m.month) AS carried
    FROM (SELECT month, lag((month + interval '1 month')::date, 1, '-infinity') OVER (ORDER BY month) AS since
          FROM accounting_periods WHERE organization_id = $1 AND project_id = $2 AND status = 'closed') m
    CROSS JOIN accounting_accounts a
    LEFT JOIN accounting_balances b ON b.project_id = a.project_id AND b.account_id = a.id AND b.month = m.month
    WHERE a.organization_id = $1 AND a.project_id = $2
  ) b
  LEFT JOIN LATERAL (
    SELECT sum(l.base_debit_amount) - sum(l.base_credit_amount) AS net FROM accounting_journal_lines l
    WHERE l.project_id = $2 AND l.account_id = b.account_id AND l.mode = $3
      AND l.posted_on >= b.since AND l.posted_on < (b.month + interval '1 month')::date
  ) s ON true
  WHERE b.stored <> b.carried + COALESCE(s.net, 0) ORDER BY b.account_id, b.month`;

/** The settled amounts of invoices and credit notes, and the sums of their allocations. */
const INVOICES = `
  SELECT 'invoice_settled', i.id, i.settled_amount, COALESCE(s.amount, 0)
  FROM accounting_invoices i
  LEFT JOIN LATERAL (
    SELECT sum(a.amount) AS amount FROM accounting_allocations a
    WHERE (a.invoice_id = i.id AND i.type = 'invoice' OR a.credit_note_id = i.id) AND a.ended_at IS NULL
  ) s ON true
  WHERE i.organization_id = $1 AND i.project_id = $2 AND i.mode = $3 AND i.number IS NOT NULL`;

/** The unallocated amounts of payments. */
const PAYMENTS = `
  SELECT 'payment_unallocated', p.id, p.unallocated_amount,
    CASE WHEN p.reversed_at IS NULL THEN p.amount - COALESCE(s.amount, 0) ELSE 0 END
  FROM accounting_payments p
  LEFT JOIN LATERAL (
    SELECT sum(a.amount) AS amount FROM accounting_allocations a WHERE a.payment_id = p.id AND a.ended_at IS NULL
  ) s ON true
  WHERE p.organization_id = $1 AND p.project_id = $2 AND p.mode = $3`;

/** Debits of entries, and their credits. */
const ENTRIES = `
  SELECT 'entry_balance', l.entry_id, sum(l.base_debit_amount), sum(l.base_credit_amount)
  FROM accounting_journal_lines l WHERE l.organization_id = $1 AND l.project_id = $2 AND l.mode = $3 GROUP BY l.entry_id`;

/** A recount reports at most this many; it finds the others once these are resolved. */
export const MOST_DIFFERENCES = 1_000;

/** Stored figures of a project that differ from the computed ones. Values: organization, project, mode. */
export const RECOUNT = `
  SELECT subject, subject_id, stored::text, computed::text
  FROM ((${[ACCOUNT_BALANCES, INVOICES, PAYMENTS, ENTRIES].join(') UNION ALL (')})) AS f (subject, subject_id, stored, computed)
  WHERE stored <> computed ORDER BY subject, subject_id LIMIT ${MOST_DIFFERENCES}`;

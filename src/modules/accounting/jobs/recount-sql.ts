import { own, sql, table, type Sql } from '../../../kit/index.js';
import { LedgerAccount } from '../model/account.entity.js';
import { Allocation } from '../model/allocation.entity.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { AccountingPayment } from '../model/payment.entity.js';
import { AccountingPeriod } from '../model/period.entity.js';
import { JournalLineRow, MonthBalanceRow } from '../model/sql-rows.entity.js';

/**
 * The stored balance of each account in a closed month, and the balance of the closed month before it plus the lines since, so that every
 * line is read once. Only the first month of an account that differs is reported.
 */
const accountBalances = (projectId: string) => sql`
  SELECT DISTINCT ON (b.account_id) 'account_balance', b.account_id, b.stored, b.carried + COALESCE(s.net, 0)
  FROM (
    SELECT a.id AS account_id, a.project_id, m.month, m.since, COALESCE(b.debit_amount - b.credit_amount, 0) AS stored,
      lag(COALESCE(b.debit_amount - b.credit_amount, 0), 1, 0) OVER (PARTITION BY a.id ORDER BY m.month) AS carried
    FROM (SELECT p.month, lag((p.month + interval '1 month')::date, 1, '-infinity') OVER (ORDER BY p.month) AS since
          FROM ${table(AccountingPeriod)} p WHERE ${own('p')} AND p.project_id = ${projectId} AND p.status = 'closed') m
    CROSS JOIN ${table(LedgerAccount)} a
    LEFT JOIN ${table(MonthBalanceRow)} b ON b.project_id = a.project_id AND b.account_id = a.id AND b.month = m.month
    WHERE ${own('a')} AND a.project_id = ${projectId}
  ) b
  LEFT JOIN LATERAL (
    SELECT sum(l.base_debit_amount) - sum(l.base_credit_amount) AS net FROM ${table(JournalLineRow)} l
    WHERE l.project_id = b.project_id AND l.account_id = b.account_id AND l.mode = ${own.mode}
      AND l.posted_on >= b.since AND l.posted_on < (b.month + interval '1 month')::date
  ) s ON true
  WHERE b.stored <> b.carried + COALESCE(s.net, 0) ORDER BY b.account_id, b.month`;

/** The settled amounts of invoices and credit notes, and the sums of their allocations. */
const invoices = (projectId: string) => sql`
  SELECT 'invoice_settled', i.id, i.settled_amount, COALESCE(s.amount, 0)
  FROM ${table(AccountingInvoice)} i
  LEFT JOIN LATERAL (
    SELECT sum(x.amount) AS amount FROM ${table(Allocation)} x
    WHERE ${own('x')} AND (x.invoice_id = i.id AND i.type = 'invoice' OR x.credit_note_id = i.id) AND x.ended_at IS NULL
  ) s ON true
  WHERE ${own('i')} AND i.project_id = ${projectId} AND i.number IS NOT NULL`;

/** The unallocated amounts of payments. */
const payments = (projectId: string) => sql`
  SELECT 'payment_unallocated', y.id, y.unallocated_amount,
    CASE WHEN y.reversed_at IS NULL THEN y.amount - COALESCE(s.amount, 0) ELSE 0 END
  FROM ${table(AccountingPayment)} y
  LEFT JOIN LATERAL (
    SELECT sum(x.amount) AS amount FROM ${table(Allocation)} x WHERE ${own('x')} AND x.payment_id = y.id AND x.ended_at IS NULL
  ) s ON true
  WHERE ${own('y')} AND y.project_id = ${projectId}`;

/** Debits of entries, and their credits. */
const entries = (projectId: string) => sql`
  SELECT 'entry_balance', l.entry_id, sum(l.base_debit_amount), sum(l.base_credit_amount)
  FROM ${table(JournalLineRow)} l WHERE ${own('l')} AND l.project_id = ${projectId} GROUP BY l.entry_id`;

/** A recount reports at most this many; it finds the others once these are resolved. */
export const MOST_DIFFERENCES = 1_000;

/** Stored figures of a project that differ from the computed ones. */
export function recount(projectId: string): Sql {
  const parts = [accountBalances, invoices, payments, entries].map((part) => sql`(${part(projectId)})`);
  return sql`
    SELECT subject, subject_id, stored::text, computed::text
    FROM (${sql.join(parts, ' UNION ALL ')}) AS f (subject, subject_id, stored, computed)
    WHERE stored <> computed ORDER BY subject, subject_id LIMIT ${MOST_DIFFERENCES}`;
}

import { Injectable } from '@nestjs/common';
import { own, sql, Store, table, type Ctx, type Sql } from '../../../kit/index.js';
import { LedgerAccount } from '../model/account.entity.js';
import { Allocation } from '../model/allocation.entity.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import { AccountingInvoice } from '../model/invoice.entity.js';
import { JournalEntry } from '../model/journal-entry.entity.js';
import { AccountingPayment } from '../model/payment.entity.js';
import { JournalLineRow } from '../model/sql-rows.entity.js';
import { MOST_CUSTOMERS, type AgedAmountsDto, type AgedReceivablesDto, type AsOfQuery } from './reports.dto.js';
import { exactly, Reports } from './reports.service.js';

type Bucket = 'current' | 'days_1_30' | 'days_31_60' | 'days_61_90' | 'days_over_90' | 'total' | 'credit';
type Balance = 'receivable' | 'customer_credit';

type Row = { customer_id: string; customer_name: string; currency: string } & Record<Bucket | Balance, string>;

/*
 * What customers owed and were owed at the end of the day, in the currency of each item (`owed`, `credit`), and what it contributes to the
 * balances of the two accounts of customers, in the base currency (`receivable`, `customer_credit`).
 */

/** Allocations, `x`, that were in effect on the day. */
const inEffect = (day: Sql) => sql`${own('x')} AND x.applied_on <= ${day} AND (x.ended_on IS NULL OR x.ended_on > ${day})`;

/** Invoices and credit notes less what was settled by then. */
const invoices = (projectId: string, day: Sql) => sql`
  SELECT i.customer_id, i.currency, ${day} - i.due_on AS days,
    CASE i.type WHEN 'invoice' THEN i.gross_amount - COALESCE(s.amount, 0) ELSE 0 END AS owed,
    CASE i.type WHEN 'invoice' THEN 0 ELSE i.gross_amount - COALESCE(s.amount, 0) END AS credit,
    CASE i.type WHEN 'invoice' THEN i.base_gross_amount - COALESCE(s.base, 0) ELSE COALESCE(s.base, 0) - i.base_gross_amount END
      AS receivable,
    0 AS customer_credit
  FROM ${table(AccountingInvoice)} i
  LEFT JOIN LATERAL (
    SELECT sum(x.amount) AS amount, sum(CASE i.type WHEN 'invoice' THEN x.base_amount ELSE x.base_credit_amount END) AS base
    FROM ${table(Allocation)} x
    WHERE (x.invoice_id = i.id AND i.type = 'invoice' OR x.credit_note_id = i.id) AND ${inEffect(day)}
  ) s ON true
  WHERE ${own('i')} AND i.project_id = ${projectId} AND i.number IS NOT NULL AND i.issued_on <= ${day}
    AND COALESCE(i.closed_on, 'infinity') > ${day}`;

/** The part of payments that settled nothing: a credit of the customer. A later change of it updates the payment. */
const excess = (projectId: string, day: Sql) => sql`
  SELECT p.customer_id, p.currency, 0, 0, p.amount - COALESCE(s.amount, 0), 0, p.base_amount - COALESCE(s.base, 0)
  FROM ${table(AccountingPayment)} p
  LEFT JOIN LATERAL (
    SELECT sum(x.amount) AS amount, sum(x.base_credit_amount) AS base
    FROM ${table(Allocation)} x WHERE x.payment_id = p.id AND ${inEffect(day)}
  ) s ON true
  WHERE ${own('p')} AND p.project_id = ${projectId} AND p.paid_on <= ${day} AND (p.reversed_on IS NULL OR p.reversed_on > ${day})
    AND (p.unallocated_amount > 0 OR p.updated_at >= ${day})`;

/** Payments received before the date of their invoice. They were posted to the receivables. */
const early = (projectId: string, day: Sql) => sql`
  SELECT i.customer_id, i.currency, 0, 0, x.amount, -x.base_amount, 0
  FROM ${table(AccountingInvoice)} i JOIN ${table(Allocation)} x ON x.invoice_id = i.id
  WHERE ${own('i')} AND i.project_id = ${projectId} AND i.type = 'invoice' AND i.number IS NOT NULL AND i.issued_on > ${day}
    AND ${inEffect(day)}`;

/** Manual entries that were not reversed by then. Debits and credits of one customer settle each other, the oldest first. */
const manual = (projectId: string, day: Sql) => sql`
  SELECT m.customer_id, m.currency, ${day} - m.posted_on,
    CASE m.role WHEN 'receivable' THEN GREATEST(0, LEAST(m.debit_amount, m.debits - m.all_credits)) ELSE 0 END,
    CASE m.role WHEN 'receivable' THEN GREATEST(0, LEAST(m.credit_amount, m.credits - m.all_debits))
      ELSE m.credit_amount - m.debit_amount END,
    CASE m.role WHEN 'receivable' THEN m.base_debit_amount - m.base_credit_amount ELSE 0 END,
    CASE m.role WHEN 'receivable' THEN 0 ELSE m.base_credit_amount - m.base_debit_amount END
  FROM (
    SELECT l.*, e.currency, a.role, sum(l.debit_amount) OVER upto AS debits, sum(l.credit_amount) OVER upto AS credits,
      sum(l.debit_amount) OVER whole AS all_debits, sum(l.credit_amount) OVER whole AS all_credits
    FROM ${table(JournalLineRow)} l
    JOIN ${table(JournalEntry)} e ON e.id = l.entry_id
    JOIN ${table(LedgerAccount)} a ON a.id = l.account_id
    WHERE ${own('l')} AND l.project_id = ${projectId} AND l.customer_id IS NOT NULL AND l.posted_on <= ${day} AND e.reverses_id IS NULL
      AND NOT EXISTS (SELECT FROM ${table(JournalEntry)} r WHERE ${own('r')} AND r.reverses_id = e.id AND r."on" <= ${day})
    WINDOW whole AS (PARTITION BY l.customer_id, e.currency, a.role),
      upto AS (PARTITION BY l.customer_id, e.currency, a.role ORDER BY l.posted_on, l.entry_id, l.position)
  ) m`;

function aged(projectId: string, asOf: string): Sql {
  const day = sql`${asOf}::date`;
  const items = [invoices, excess, early, manual].map((part) => part(projectId, day));
  return sql`
    SELECT o.customer_id, c.name AS customer_name, o.currency,
      COALESCE(sum(o.owed) FILTER (WHERE o.days <= 0), 0)::text AS current,
      COALESCE(sum(o.owed) FILTER (WHERE o.days BETWEEN 1 AND 30), 0)::text AS days_1_30,
      COALESCE(sum(o.owed) FILTER (WHERE o.days BETWEEN 31 AND 60), 0)::text AS days_31_60,
      COALESCE(sum(o.owed) FILTER (WHERE o.days BETWEEN 61 AND 90), 0)::text AS days_61_90,
      COALESCE(sum(o.owed) FILTER (WHERE o.days > 90), 0)::text AS days_over_90,
      COALESCE(sum(o.owed), 0)::text AS total,
      COALESCE(sum(o.credit), 0)::text AS credit,
      COALESCE(sum(o.receivable), 0)::text AS receivable,
      COALESCE(sum(o.customer_credit), 0)::text AS customer_credit
    FROM (${sql.join(items, ' UNION ALL ')}) o JOIN ${table(AccountingCustomer)} c ON c.id = o.customer_id AND ${own('c')}
    WHERE o.owed <> 0 OR o.credit <> 0 OR o.receivable <> 0 OR o.customer_credit <> 0
    GROUP BY o.customer_id, c.name, o.currency ORDER BY sum(o.owed) + sum(o.credit) DESC, o.customer_id`;
}

/** The amounts that customers owe, by days overdue. */
@Injectable()
export class AgedReceivables {
  constructor(
    private readonly store: Store,
    private readonly reports: Reports,
  ) {}

  async get(ctx: Ctx, query: AsOfQuery): Promise<AgedReceivablesDto> {
    const { project, currency: base_currency, as_of } = await this.reports.asOf(ctx, query);
    const rows = await this.store.reader(ctx).sql<Row>(aged(project.id, as_of));
    const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
    return {
      object: 'aged_receivables',
      project_id: project.id,
      as_of,
      totals: currencies.map((currency) =>
        amountsOf(
          currency,
          rows.filter((row) => row.currency === currency),
        ),
      ),
      base_currency,
      receivable_amount: total(rows, 'receivable'),
      customer_credit_amount: total(rows, 'customer_credit'),
      customers: rows.slice(0, MOST_CUSTOMERS).map((row) => ({
        customer_id: row.customer_id,
        customer_name: row.customer_name,
        ...amountsOf(row.currency, [row]),
      })),
      has_more: rows.length > MOST_CUSTOMERS,
    };
  }
}

function amountsOf(currency: string, rows: readonly Row[]): AgedAmountsDto {
  return {
    currency,
    current_amount: total(rows, 'current'),
    days_1_30_amount: total(rows, 'days_1_30'),
    days_31_60_amount: total(rows, 'days_31_60'),
    days_61_90_amount: total(rows, 'days_61_90'),
    days_over_90_amount: total(rows, 'days_over_90'),
    total_amount: total(rows, 'total'),
    credit_amount: total(rows, 'credit'),
  };
}

function total(rows: readonly Row[], column: Bucket | Balance): number {
  return exactly(rows.reduce((sum, row) => sum + BigInt(row[column]), 0n));
}

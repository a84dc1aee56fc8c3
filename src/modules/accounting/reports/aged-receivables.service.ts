import { Injectable } from '@nestjs/common';
import { Store, sql, type Ctx } from '../../../kit/index.js';
import { MOST_CUSTOMERS, type AgedAmountsDto, type AgedReceivablesDto, type AsOfQuery } from './reports.dto.js';
import { exactly, Reports } from './reports.service.js';

type Bucket = 'current' | 'days_1_30' | 'days_31_60' | 'days_61_90' | 'days_over_90' | 'total' | 'credit';
type Balance = 'receivable' | 'customer_credit';

type Row = { customer_id: string; customer_name: string; currency: string } & Record<Bucket | Balance, string>;

/** Allocations that were in effect on the day. */
const IN_EFFECT = `x.applied_on <= $4 AND (x.ended_on IS NULL OR x.ended_on > $4)`;
const SCOPE = (table: string) => `${table}.organization_id = $1 AND ${table}.project_id = $2 AND ${table}.mode = $3`;

/*
 * What customers owed and were owed at the end of the day, in the currency of each item (`owed`, `credit`), and what it contributes to the
 * balances of the two accounts of customers, in the base currency (`receivable`, `customer_credit`).
 */

/** Invoices and credit notes less what was settled by then. */
const INVOICES = `
  SELECT i.customer_id, i.currency, $4::date - i.due_on AS days,
    CASE i.type WHEN 'invoice' THEN i.gross_amount - COALESCE(s.amount, 0) ELSE 0 END AS owed,
    CASE i.type WHEN 'invoice' THEN 0 ELSE i.gross_amount - COALESCE(s.amount, 0) END AS credit,
    CASE i.type WHEN 'invoice' THEN i.base_gross_amount - COALESCE(s.base, 0) ELSE COALESCE(s.base, 0) - i.base_gross_amount END
      AS receivable,
    0 AS customer_credit
  FROM accounting_invoices i
  LEFT JOIN LATERAL (
    SELECT sum(x.amount) AS amount, sum(CASE i.type WHEN 'invoice' THEN x.base_amount ELSE x.base_credit_amount END) AS base
    FROM accounting_allocations x
    WHERE (x.invoice_id = i.id AND i.type = 'invoice' OR x.credit_note_id = i.id) AND ${IN_EFFECT}
  ) s ON true
  WHERE ${SCOPE('i')} AND i.number IS NOT NULL AND i.issued_on <= $4 AND COALESCE(i.closed_on, 'infinity') > $4`;

/** The part of payments that settled nothing: a credit of the customer. A later change of it updates the payment. */
const EXCESS = `
  SELECT p.customer_id, p.currency, 0, 0, p.amount - COALESCE(s.amount, 0), 0, p.base_amount - COALESCE(s.base, 0)
  FROM accounting_payments p
  LEFT JOIN LATERAL (
    SELECT sum(x.amount) AS amount, sum(x.base_credit_amount) AS base
    FROM accounting_allocations x WHERE x.payment_id = p.id AND ${IN_EFFECT}
  ) s ON true
  WHERE ${SCOPE('p')} AND p.paid_on <= $4 AND (p.reversed_on IS NULL OR p.reversed_on > $4)
    AND (p.unallocated_amount > 0 OR p.updated_at >= $4::date)`;

/** Payments received before the date of their invoice. They were posted to the receivables. */
const EARLY = `
  SELECT i.customer_id, i.currency, 0, 0, x.amount, -x.base_amount, 0
  FROM accounting_invoices i JOIN accounting_allocations x ON x.invoice_id = i.id
  WHERE ${SCOPE('i')} AND i.type = 'invoice' AND i.number IS NOT NULL AND i.issued_on > $4 AND ${IN_EFFECT}`;

/** Manual entries that were not reversed by then. Debits and credits of one customer settle each other, the oldest first. */
const MANUAL = `
  SELECT m.customer_id, m.currency, $4::date - m.posted_on,
    CASE m.role WHEN 'receivable' THEN GREATEST(0, LEAST(m.debit_amount, m.debits - m.all_credits)) ELSE 0 END,
    CASE m.role WHEN 'receivable' THEN GREATEST(0, LEAST(m.credit_amount, m.credits - m.all_debits))
      ELSE m.credit_amount - m.debit_amount END,
    CASE m.role WHEN 'receivable' THEN m.base_debit_amount - m.base_credit_amount ELSE 0 END,
    CASE m.role WHEN 'receivable' THEN 0 ELSE m.base_credit_amount - m.base_debit_amount END
  FROM (
    SELECT l.*, e.currency, a.role, sum(l.debit_amount) OVER upto AS debits, sum(l.credit_amount) OVER upto AS credits,
      sum(l.debit_amount) OVER whole AS all_debits, sum(l.credit_amount) OVER whole AS all_credits
    FROM accounting_journal_lines l
    JOIN accounting_journal_entries e ON e.id = l.entry_id
    JOIN accounting_accounts a ON a.id = l.account_id
    WHERE ${SCOPE('l')} AND l.customer_id IS NOT NULL AND l.posted_on <= $4 AND e.reverses_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM accounting_journal_entries r WHERE r.reverses_id = e.id AND r."on" <= $4)
    WINDOW whole AS (PARTITION BY l.customer_id, e.currency, a.role),
      upto AS (PARTITION BY l.customer_id, e.currency, a.role ORDER BY l.posted_on, l.entry_id, l.position)
  ) m`;

const sumOf = (column: string, name: string, condition = 'true') =>
  `COALESCE(sum(o.${column}) FILTER (WHERE ${condition}), 0)::text AS ${name}`;

const AGED = `
  SELECT o.customer_id, c.name AS customer_name, o.currency,
    ${[
      sumOf('owed', 'current', 'o.days <= 0'),
      sumOf('owed', 'days_1_30', 'o.days BETWEEN 1 AND 30'),
      sumOf('owed', 'days_31_60', 'o.days BETWEEN 31 AND 60'),
      sumOf('owed', 'days_61_90', 'o.days BETWEEN 61 AND 90'),
      sumOf('owed', 'days_over_90', 'o.days > 90'),
      sumOf('owed', 'total'),
      sumOf('credit', 'credit'),
      sumOf('receivable', 'receivable'),
      sumOf('customer_credit', 'customer_credit'),
    ].join(',\n    ')}
  FROM (${[INVOICES, EXCESS, EARLY, MANUAL].join(' UNION ALL ')}) o JOIN accounting_customers c ON c.id = o.customer_id
  WHERE o.owed <> 0 OR o.credit <> 0 OR o.receivable <> 0 OR o.customer_credit <> 0
  GROUP BY o.customer_id, c.name, o.currency ORDER BY sum(o.owed) + sum(o.credit) DESC, o.customer_id`;

/** The amounts that customers owe, by days overdue. */
@Injectable()
export class AgedReceivables {
  constructor(
    private readonly store: Store,
    private readonly reports: Reports,
  ) {}

  async get(ctx: Ctx, query: AsOfQuery): Promise<AgedReceivablesDto> {
    const { project, currency: base_currency, as_of } = await this.reports.asOf(ctx, query);
    const rows = await this.store.reader(ctx).query<Row>(sql.legacy(AGED, [ctx.organizationId, project.id, ctx.mode, as_of]));
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
        ...{ customer_id: row.customer_id, customer_name: row.customer_name },
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

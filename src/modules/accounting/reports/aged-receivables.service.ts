import { Injectable } from '@nestjs/common';
import { Store, type Ctx } from '../../../kit/index.js';
import { MOST_CUSTOMERS, type AgedAmountsDto, type AgedReceivablesDto, type AsOfQuery } from './reports.dto.js';
import { exactly, Reports } from './reports.service.js';

type Bucket = 'current' | 'days_1_30' | 'days_31_60' | 'days_61_90' | 'days_over_90' | 'total' | 'credit';

type Row = { customer_id: string; customer_name: string; currency: string } & Record<Bucket, string>;

/** Allocations that were in effect on the day. */
const SETTLED = `x.applied_on <= $4 AND (x.ended_on IS NULL OR x.ended_on > $4)`;

/** The amount open at the end of the day: settlements after that day do not count. */
const OPEN = `
  SELECT i.customer_id, i.currency, $4::date - i.due_on AS days, i.gross_amount - COALESCE(s.amount, 0) AS open, i.type
  FROM accounting_invoices i
  LEFT JOIN LATERAL (
    SELECT sum(x.amount) AS amount FROM accounting_allocations x
    WHERE (x.invoice_id = i.id AND i.type = 'invoice' OR x.credit_note_id = i.id) AND ${SETTLED}
  ) s ON true
  WHERE i.organization_id = $1 AND i.project_id = $2 AND i.mode = $3 AND i.number IS NOT NULL AND i.issued_on <= $4
    AND COALESCE(i.closed_on, 'infinity') > $4
  UNION ALL
  SELECT p.customer_id, p.currency, 0, p.amount - COALESCE((
    SELECT sum(x.amount) FROM accounting_allocations x WHERE x.payment_id = p.id AND ${SETTLED}), 0), 'payment'
  FROM accounting_payments p JOIN projects z ON z.id = p.project_id
  WHERE p.organization_id = $1 AND p.project_id = $2 AND p.mode = $3 AND p.paid_on <= $4
    AND (p.reversed_at IS NULL OR (p.reversed_at AT TIME ZONE z.timezone)::date > $4)
    AND (p.unallocated_amount > 0 OR p.updated_at >= $4::date)`;

const sumOf = (bucket: Bucket, condition: string) => `COALESCE(sum(o.open) FILTER (WHERE ${condition}), 0)::text AS ${bucket}`;
const due = (condition: string) => `o.type = 'invoice' AND ${condition}`;

const AGED = `
  SELECT o.customer_id, c.name AS customer_name, o.currency,
    ${[
      sumOf('current', due('o.days <= 0')),
      sumOf('days_1_30', due('o.days BETWEEN 1 AND 30')),
      sumOf('days_31_60', due('o.days BETWEEN 31 AND 60')),
      sumOf('days_61_90', due('o.days BETWEEN 61 AND 90')),
      sumOf('days_over_90', due('o.days > 90')),
      sumOf('total', `o.type = 'invoice'`),
      sumOf('credit', `o.type <> 'invoice'`),
    ].join(',\n    ')}
  FROM (${OPEN}) o JOIN accounting_customers c ON c.id = o.customer_id
  WHERE o.open > 0 GROUP BY o.customer_id, c.name, o.currency ORDER BY sum(o.open) DESC, o.customer_id`;

/** The amounts that customers owe, by days overdue. */
@Injectable()
export class AgedReceivables {
  constructor(
    private readonly store: Store,
    private readonly reports: Reports,
  ) {}

  async get(ctx: Ctx, query: AsOfQuery): Promise<AgedReceivablesDto> {
    const { project, as_of } = await this.reports.asOf(ctx, query);
    const rows = await this.store.reader(ctx).query<Row>(AGED, [ctx.organizationId, project.id, ctx.mode, as_of]);
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
      customers: rows.slice(0, MOST_CUSTOMERS).map((row) => ({
        ...{ customer_id: row.customer_id, customer_name: row.customer_name },
        ...amountsOf(row.currency, [row]),
      })),
      has_more: rows.length > MOST_CUSTOMERS,
    };
  }
}

function amountsOf(currency: string, rows: readonly Row[]): AgedAmountsDto {
  const sum = (bucket: Bucket) => exactly(rows.reduce((total, row) => total + BigInt(row[bucket]), 0n));
  return {
    currency,
    current_amount: sum('current'),
    days_1_30_amount: sum('days_1_30'),
    days_31_60_amount: sum('days_31_60'),
    days_61_90_amount: sum('days_61_90'),
    days_over_90_amount: sum('days_over_90'),
    total_amount: sum('total'),
    credit_amount: sum('credit'),
  };
}

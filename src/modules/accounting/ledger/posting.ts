import { AmountTooLarge, multiply, shareOut, sumOf, type Decimal } from '../../../kit/index.js';
import { AccountingErrors, invalid } from '../model/accounting.errors.js';
import type { JournalLine } from '../model/journal-entry.entity.js';

/** A line before its conversion: exactly one side is positive. */
export interface PostingLine {
  account_id: string;
  debit_amount: number;
  credit_amount: number;
  customer_id?: string | null;
  memo?: string | null;
}

export function debit(account_id: string, amount: number): PostingLine {
  return { account_id, debit_amount: amount, credit_amount: 0 };
}

export function credit(account_id: string, amount: number): PostingLine {
  return { account_id, debit_amount: 0, credit_amount: amount };
}

/**
 * The lines with their amounts in the base currency. The sum is converted once and shared among the lines of each side by largest
 * remainder, so both sides stay equal and each line differs from its exact value by less than one unit. Rejects lines that do not
 * balance.
 */
export function converted(lines: readonly PostingLine[], rate: Decimal): JournalLine[] {
  const [debits, credits] = [lines.map(({ debit_amount }) => debit_amount), lines.map(({ credit_amount }) => credit_amount)];
  const [debit_amount, credit_amount] = [total(debits), total(credits)];
  if (debit_amount !== credit_amount)
    throw AccountingErrors.entryUnbalanced({
      param: 'lines',
      message: `lines have debits of ${debit_amount} and credits of ${credit_amount}; they must be equal`,
      extra: { debit_amount, credit_amount },
    });
  const base = inBase(debit_amount, rate);
  const [baseDebits, baseCredits] = [shareOut(base, debits), shareOut(base, credits)];
  return lines.map((line, index) => ({
    account_id: line.account_id,
    debit_amount: line.debit_amount,
    credit_amount: line.credit_amount,
    base_debit_amount: baseDebits[index],
    base_credit_amount: baseCredits[index],
    customer_id: line.customer_id ?? null,
    memo: line.memo ?? null,
  }));
}

/** The amount in the base currency. */
export function inBase(amount: number, rate: Decimal): number {
  try {
    return multiply(amount, rate);
  } catch (error) {
    if (error instanceof AmountTooLarge) throw invalid('exchange_rate', 'makes an amount in the base currency exceed 9007199254740991');
    throw error;
  }
}

/** The lines that reverse others, in their currency and in the base currency. */
export function reversed(lines: readonly JournalLine[]): JournalLine[] {
  return lines.map((line) => ({
    ...line,
    debit_amount: line.credit_amount,
    credit_amount: line.debit_amount,
    base_debit_amount: line.base_credit_amount,
    base_credit_amount: line.base_debit_amount,
  }));
}

function total(amounts: readonly number[]): number {
  try {
    return sumOf(amounts);
  } catch (error) {
    if (error instanceof AmountTooLarge) throw invalid('lines', 'have amounts whose sum exceeds 9007199254740991');
    throw error;
  }
}

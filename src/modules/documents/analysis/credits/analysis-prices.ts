import type { AnalysisKind } from '../provider/provider.js';

/** An analysis costs its credits once for every started part of the text of this many characters. */
export const PRICED_CHARACTERS = 4_000;

/** Credits by kind of analysis. */
export const PRICES: Readonly<Record<AnalysisKind, number>> = { summary: 1, risks: 2 };

export function priceOf(kind: AnalysisKind, text: string): number {
  return Math.max(1, Math.ceil(text.length / PRICED_CHARACTERS)) * PRICES[kind];
}

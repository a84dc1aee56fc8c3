/** An exchange rate: base currency per unit of another currency. */
export const EXCHANGE_RATE = { digits: 10, places: 10, sign: 'positive' } as const;

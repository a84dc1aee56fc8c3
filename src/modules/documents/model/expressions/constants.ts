import { Calculation, type Value } from './evaluate.js';
import { NumberTooLarge } from './exact.js';
import { namesIn, type Expression } from './expression.js';

const NOWHERE = { values: {}, rows: {}, groups: {} };

/** The value of an expression that names nothing; undefined for others. */
export function constantOf(expression: Expression): Value | undefined {
  if (namesIn(expression).size > 0) return undefined;
  try {
    return new Calculation().value(expression, NOWHERE);
  } catch (error) {
    if (error instanceof NumberTooLarge) return undefined;
    throw error;
  }
}

/** Whether something in it is always divided by zero, so that it never has a value. `of`: an expression, or what contains some. */
export function dividesByZero(of: unknown): boolean {
  if (typeof of !== 'object' || of === null) return false;
  const { kind, right } = of as { kind?: unknown; right?: Expression };
  if (kind === 'divide' && right) {
    const divisor = constantOf(right);
    if (typeof divisor === 'object' && divisor !== null && divisor.units === 0n) return true;
  }
  return Object.values(of).some(dividesByZero);
}

export const BY_ZERO = 'it is divided by zero, so that it never has a value';

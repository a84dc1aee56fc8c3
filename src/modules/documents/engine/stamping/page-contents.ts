import { tokenAt } from './content-tokens.js';
import { imageEnd } from './inline-images.js';

/** What isolates the contents of a page, so that nothing drawn afterwards depends on them. */
export interface Balance {
  /** The contents without what viewers ignore; null if they can stay as they are. */
  repaired: Uint8Array | null;
  /** Operators that close what the contents leave open. */
  closing: string;
}

const SPACE = 32;
const BRACKETS: Readonly<Record<string, number>> = { '[': 1, ']': -1, '<<': 1, '>>': -1 };
const PATH = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're']);
const PAINT = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n']);

/**
 * Reads the contents of a page (ISO 32000-1, 7.8.2). They can leave a `q`, a text object, marked content, a path, a string or an array
 * open, or have more `Q` than `q`; viewers show them nevertheless. Throws if it is not known where they end.
 */
export function balanceOf(contents: Uint8Array): Balance {
  const open = new OpenParts();
  /** A `Q` without its `q` has no effect in viewers, but would have one in a `q` around the contents. */
  const surplus: number[] = [];
  let nesting = 0;
  /** Where an array, a dictionary or a string begins that may never end. */
  let operand = 0;
  let next = 0;
  for (let token = tokenAt(contents, 0); token !== null; token = tokenAt(contents, next)) {
    const { start, end, operator } = token;
    next = end;
    if (nesting === 0) operand = start;
    if (end > contents.length) nesting++;
    nesting = Math.max(0, nesting + (BRACKETS[operator ?? ''] ?? 0));
    if (nesting > 0 || operator === null) continue;
    if (operator === 'BI') next = imageEnd(contents, end);
    else if (!open.read(operator)) surplus.push(start);
  }
  const kept = nesting > 0 ? operand : contents.length;
  const isWhole = surplus.length === 0 && kept === contents.length;
  const repaired = isWhole ? null : contents.slice(0, kept);
  for (const at of surplus) if (repaired) repaired[at] = SPACE;
  return { repaired, closing: open.closing() };
}

class OpenParts {
  private states = 0;
  private marks = 0;
  private isText = false;
  private isPath = false;

  /** False for an operator that ends a graphics state that was never begun. */
  read(operator: string): boolean {
    if (operator === 'q') this.states++;
    else if (operator === 'Q' && this.states === 0) return false;
    else if (operator === 'Q') this.states--;
    else if (operator === 'BT' || operator === 'ET') this.isText = operator === 'BT';
    else if (operator === 'BMC' || operator === 'BDC') this.marks++;
    else if (operator === 'EMC') this.marks = Math.max(0, this.marks - 1);
    else if (PATH.has(operator)) this.isPath = true;
    else if (PAINT.has(operator)) this.isPath = false;
    return true;
  }

  closing(): string {
    const parts = [this.isText ? ['ET'] : [], this.isPath ? ['n'] : [], Array(this.marks).fill('EMC'), Array(this.states).fill('Q')];
    return parts.flat().join(' ');
  }
}

import { rememberLiteral } from '../../../kit/index.js';

/**
 * The most values, members and items at any depth, that a JSON text may have. A megabyte can hold 700,000, which take the
 * parser alone 100 ms.
 */
export const MOST_VALUES = 20_000;

/** May be ignored (RFC 8259 8.1). */
const BYTE_ORDER_MARK = 0xfeff;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Why a text was rejected before or after it was parsed; `param` is the member at fault, if known. */
export class UnacceptableJson extends Error {
  constructor(
    message: string,
    readonly param?: string,
  ) {
    super(message);
  }
}

/** Parses JSON of bounded cost whose strings can all be stored; throws `UnacceptableJson` or a `SyntaxError`. */
export function parseJson(text: string): unknown {
  // every value takes a character at least
  if (text.length > MOST_VALUES) countValues(text);
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  const value = (WHOLE_LITERAL.test(json) ? parseWithLiterals(json) : JSON.parse(json)) as unknown;
  if (SURROGATE_ESCAPE.test(text)) refuseUnpairedSurrogates(value);
  return value;
}

/** What may be a whole number that is written as 120.00 or 1.2e2. It also finds such text in strings, which costs time only. */
const WHOLE_LITERAL = /[:,[]\s*-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)\s*[,}\]]/;

/** TypeScript's library lacks the third parameter of a reviver. */
type Parse = (text: string, reviver: (this: object, member: string, value: unknown, context: { source?: string }) => unknown) => unknown;

function parseWithLiterals(text: string): unknown {
  return (JSON.parse as Parse)(text, function (member, value, { source = '' }) {
    if (typeof value === 'number' && Number.isInteger(value) && /[.eE]/.test(source)) rememberLiteral(this, member, source);
    return value;
  });
}

/** Counts without parsing, and stops at the limit. */
function countValues(text: string): void {
  let count = 0;
  let depth = 0;
  let member: string | undefined;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const start = at++;
        for (let code = text.charCodeAt(at); code !== QUOTE && at < text.length; code = text.charCodeAt(++at)) if (code === BACKSLASH) at++;
        if (depth === 1 && text.charCodeAt(at + 1) === COLON) member = text.slice(start + 1, at);
        break;
      }
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth++;
        count++;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--;
        break;
      case COMMA:
        count++;
        break;
    }
    if (count > MOST_VALUES) {
      // if the body itself has too many members, no single one is at fault
      const param = depth > 1 ? member?.slice(0, 100) : undefined;
      throw new UnacceptableJson(`${param ?? 'The body'} has too many members and items; a body may have ${MOST_VALUES} in all.`, param);
    }
  }
}

/** Only an escape can bring an unpaired surrogate into UTF-8. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

interface Position {
  value: object;
  path: string;
}

/** RFC 8259 leaves the meaning of such text open, and neither a database nor a mail can carry it. */
function refuseUnpairedSurrogates(root: unknown): void {
  const refuse = (path: string): never => {
    const param = path === '' ? undefined : path.toWellFormed().slice(0, 200);
    throw new UnacceptableJson(`${param ?? 'The body'} must not contain an unpaired surrogate`, param);
  };
  if (typeof root === 'string' && !root.isWellFormed()) refuse('');
  const pending: Position[] = typeof root === 'object' && root !== null ? [{ value: root, path: '' }] : [];
  for (let position = pending.pop(); position; position = pending.pop()) {
    for (const [name, value] of Object.entries(position.value) as [string, unknown][]) {
      const path = position.path === '' ? name : `${position.path}.${name}`.slice(-1000);
      if (!name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) refuse(path);
      if (typeof value === 'object' && value !== null) pending.push({ value, path });
    }
  }
}

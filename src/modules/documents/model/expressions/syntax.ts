/*
 * Expressions over the values of a document:
 *
 *   condition    net + tax >= 100000 and not (renews or level = "basic")
 *   arithmetic   + - * / and parentheses, with exact decimals
 *   functions    round(x, places), min(a, b), max(a, b), if(condition, a, b), default(x, y)
 *   aggregates   sum, avg, min, max and count of the rows of a table:
 *                sum(items.quantity * items.price), count(items where items.price > 0)
 *                sum(round(sum(items.net) * items.rate / 100) by items.rate): the sum of what it is for each group of rows
 *
 * `parse` reads the text; `check.ts` resolves names and types; `evaluate.ts` calculates.
 */

/** What is wrong with an expression. `at` is the offset in its text. */
export class ExpressionFault extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

type Operator = 'or' | 'and' | Comparison | '+' | '-' | '*' | '/';
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

export type Syntax = { at: number } & (
  | { kind: 'number'; value: string }
  | { kind: 'text'; value: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'name'; name: string }
  | { kind: 'unary'; operator: 'not' | '-'; of: Syntax }
  | { kind: 'binary'; operator: Operator; left: Syntax; right: Syntax }
  | { kind: 'call'; name: string; of: Syntax[]; where: Syntax | null; by: Syntax | null }
);

interface Lexeme {
  text: string;
  at: number;
}

const LONGEST_EXPRESSION = 1_000;
const DEEPEST = 30;
const LEXEME = /\s*(?:(\d+(?:\.\d+)?)|("[^"]*")|([A-Za-z_][\w.]*)|(!=|<=|>=|[-+*/=<>(),]))/y;
const NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/;
const NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?$/;
/** From the weakest to the strongest. Comparisons cannot be chained. */
const LEVELS: readonly (readonly Operator[])[] = [['or'], ['and'], ['=', '!=', '<', '<=', '>', '>='], ['+', '-'], ['*', '/']];
const COMPARISONS = 2;
const STRONGEST = LEVELS.length;

/** Parses an expression. Throws `ExpressionFault`. */
export function parse(text: string): Syntax {
  if (text.length > LONGEST_EXPRESSION) throw new ExpressionFault(`an expression can have ${LONGEST_EXPRESSION} characters`, 0);
  return new Parser(text).expression();
}

class Parser {
  private readonly lexemes: Lexeme[];
  private next = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    this.lexemes = lexemesOf(text);
  }

  expression(): Syntax {
    const whole = this.level(0);
    if (this.peek() !== undefined) this.fail('expected an operator, such as + or and');
    return whole;
  }

  private level(level: number): Syntax {
    if (level === STRONGEST) return this.unary();
    // `not` applies to a comparison: not a = b
    if (level === COMPARISONS && this.isNot()) return this.not();
    let left = this.level(level + 1);
    for (;;) {
      const operator = LEVELS[level].find((one) => one === this.peek());
      if (operator === undefined) return left;
      const { at } = this.take();
      left = { kind: 'binary', operator, left, right: this.level(level + 1), at };
      if (level === COMPARISONS && LEVELS[level].includes(this.peek() as Operator))
        this.fail('comparisons cannot be chained: write a < b and b < c');
    }
  }

  /** A field can have the name not: nothing that can be negated follows it then. */
  private isNot(): boolean {
    const following = this.peek(1);
    return this.peek() === 'not' && following !== undefined && /^[\w"(-]/.test(following) && !['and', 'or'].includes(following);
  }

  private not(): Syntax {
    const { at } = this.take();
    return this.within(at, () => ({ kind: 'unary', operator: 'not', of: this.level(COMPARISONS), at }));
  }

  private unary(): Syntax {
    if (this.peek() !== '-') return this.primary();
    const { at } = this.take();
    return this.within(at, () => ({ kind: 'unary', operator: '-', of: this.unary(), at }));
  }

  private primary(): Syntax {
    const first = this.lexemes.at(this.next);
    if (first === undefined || !/^[\w"(]/.test(first.text)) return this.fail('expected a value: a field, a number, a text in quotes or (');
    const { text, at } = this.take();
    if (text === '(')
      return this.within(at, () => {
        const inside = this.level(0);
        this.close();
        return inside;
      });
    if (text.startsWith('"')) return { kind: 'text', value: text.slice(1, -1), at };
    if (/^\d/.test(text)) return this.number(text, at);
    if (this.peek() === '(') return this.call(text, at);
    if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true', at };
    if (!NAME.test(text)) throw new ExpressionFault(`${text} is not a name: write a field, or a column as items.price`, at);
    return { kind: 'name', name: text, at };
  }

  private number(text: string, at: number): Syntax {
    if (!NUMBER.test(text)) throw new ExpressionFault('a number can have 15 digits before and after the point', at);
    return { kind: 'number', value: text, at };
  }

  private call(name: string, at: number): Syntax {
    this.take();
    return this.within(at, () => {
      const of = [this.level(0)];
      while (this.peek() === ',') {
        this.take();
        of.push(this.level(0));
      }
      const where = this.part('where');
      const by = this.part('by');
      this.close();
      return { kind: 'call', name, of, where, by, at };
    });
  }

  private part(word: 'where' | 'by'): Syntax | null {
    if (this.peek() !== word) return null;
    this.take();
    return this.level(0);
  }

  private close(): void {
    if (this.peek() !== ')') this.fail('expected )');
    this.take();
  }

  private within<T>(at: number, read: () => T): T {
    if (++this.depth > DEEPEST) throw new ExpressionFault(`an expression can be nested ${DEEPEST} levels deep`, at);
    const result = read();
    this.depth--;
    return result;
  }

  private peek(ahead = 0): string | undefined {
    return this.lexemes.at(this.next + ahead)?.text;
  }

  private take(): Lexeme {
    return this.lexemes[this.next++];
  }

  private fail(expected: string): never {
    const found = this.lexemes.at(this.next);
    throw new ExpressionFault(`${expected}, found ${found?.text ?? 'the end'}`, found?.at ?? this.text.length);
  }
}

function lexemesOf(text: string): Lexeme[] {
  const lexemes: Lexeme[] = [];
  const end = text.trimEnd().length;
  LEXEME.lastIndex = 0;
  while (LEXEME.lastIndex < end) {
    const from = LEXEME.lastIndex;
    const found = LEXEME.exec(text);
    if (found === null) {
      const at = from + (/\S/.exec(text.slice(from))?.index ?? 0);
      const what = text[at] === '"' ? 'the text is not ended: write " after it' : `${text[at]} cannot be used in an expression`;
      throw new ExpressionFault(what, at);
    }
    const lexeme = found[0].trimStart();
    lexemes.push({ text: lexeme, at: LEXEME.lastIndex - lexeme.length });
  }
  return lexemes;
}

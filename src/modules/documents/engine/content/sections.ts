import { isObject } from '../../../../kit/index.js';
import { BY_ZERO, dividesByZero } from '../../model/expressions/constants.js';
import { compileCondition } from '../../model/expressions/check.js';
import { groupsOf, type Calculation, type Place, type Row } from '../../model/expressions/evaluate.js';
import type { Expression } from '../../model/expressions/expression.js';
import type { RowScope } from '../../model/expressions/scope.js';
import { ExpressionFault } from '../../model/expressions/syntax.js';
import { PART } from './content-size.js';
import { DEEPEST, sectionTree, TOKEN_TEXT, type Branch, type Part, type Section } from './section-tree.js';
import { repetitionOf, scopeOf, type NamesInTokens } from './template-scope.js';

/*
 * Sections are chosen and repeated before the Markdown is parsed and before values replace tokens, so no value can begin or end one.
 * A token in a repeated section is written as {{@2 token}}: the number is that of the place whose values it prints.
 */

/** A problem with a token. Lines and columns count from 1. */
export interface TemplateProblem {
  token: string;
  line: number;
  column: number;
  message: string;
}

/** Where tokens are read: the rows that have a current one, and their values. */
export interface TokenPlace {
  rows: readonly RowScope[];
  place: Place;
}

const TOKEN = new RegExp(String.raw`\\\{|\{\{(${TOKEN_TEXT}\}\})`, 'g');
const BLOCK_LINE = /^[ \t]*\{\{\s*#(?!if\b|each\b|group\b)/m;
const AT = /^@(\d+) /;

/** Chooses and repeats the sections of one document. */
export class Sections {
  /** The first is that of the whole template. */
  readonly places: TokenPlace[];
  private readonly conditions = new Map<Branch, Expression | string>();

  constructor(
    private readonly names: NamesInTokens,
    place: Place,
    private readonly calculation: Calculation,
    /** Is told of the characters that a table adds, before they are added. */
    private readonly count: (table: string, characters: number) => void,
  ) {
    this.places = [{ rows: [], place }];
  }

  /** The template with the sections that the values choose. */
  expand(template: string): string {
    return this.parts(template, sectionTree(template).parts, 0, null);
  }

  /** The token without the number of its place, and that place. */
  placeOf(inside: string): [inside: string, place: TokenPlace] {
    const number = AT.exec(inside);
    const place = number === null ? undefined : this.places.at(Number(number[1]));
    return number === null || place === undefined ? [inside, this.places[0]] : [inside.slice(number[0].length), place];
  }

  private parts(template: string, parts: readonly Part[], at: number, table: string | null): string {
    let result = '';
    for (const part of parts) {
      if ('kind' in part) {
        result += this.section(template, part, at, table);
        continue;
      }
      const text = template.slice(part.from, part.to);
      if (table !== null) this.count(table, text.length);
      result +=
        at === 0 ? text : text.replace(TOKEN, (whole, token: string | undefined) => (token === undefined ? whole : `{{@${at} ${token}`));
    }
    return result;
  }

  private section(template: string, { kind, branches }: Section, at: number, table: string | null): string {
    if (kind === 'if') {
      const shown = branches.find((branch) => this.isMet(branch, at));
      return shown ? this.parts(template, shown.body, at, table) : '';
    }
    const [{ head, body }] = branches;
    const { rows, place } = this.places[at];
    const repetition = repetitionOf(kind, head ?? '', this.names.schema, rows);
    if (typeof repetition === 'string') return '';
    const { table: repeated, column } = repetition;
    const records = rowsIn(place, repeated);
    const groups = column === null ? records.map((row) => [row]) : groupsOf(records, column);
    // blocks need an empty line between them
    const gap = BLOCK_LINE.test(template.slice(...extentOf(body))) ? '\n' : '';
    return groups
      .map((group, index) => {
        this.count(repeated, PART);
        const row: Place['rows'] =
          column === null ? { row: { index: index + 1, first: index === 0, last: index === groups.length - 1 } } : {};
        const inside = { ...place, rows: { ...place.rows, ...row, [repeated]: group[0] } };
        this.places.push({
          rows: repetition.rows,
          place: column === null ? inside : { ...inside, groups: { ...place.groups, [repeated]: group } },
        });
        return this.parts(template, body, this.places.length - 1, repeated);
      })
      .join(gap);
  }

  private isMet(branch: Branch, at: number): boolean {
    const { rows, place } = this.places[at];
    if (branch.head === null) return true;
    let condition = this.conditions.get(branch);
    if (condition === undefined) this.conditions.set(branch, (condition = conditionOf(branch.head, this.names, rows, false)));
    return typeof condition !== 'string' && this.calculation.value(condition, place) === true;
  }
}

/** The rows of a table at a place: of its group, or all. */
export function rowsIn({ groups, values }: Place, table: string): readonly Row[] {
  if (Object.hasOwn(groups, table)) return groups[table];
  const rows = Object.hasOwn(values, table) ? values[table] : undefined;
  return (Array.isArray(rows) ? (rows as unknown[]) : []).map((row) => (isObject(row) ? row : {}));
}

function extentOf(body: readonly Part[]): [from: number, to: number] {
  const first = body.at(0);
  const last = body.at(-1);
  if (!first || !last) return [0, 0];
  const from = 'kind' in first ? first.at.index : first.from;
  return [from, 'kind' in last ? extentOf(last.branches.flatMap(({ body: inside }) => inside))[1] : last.to];
}

/** The condition, or a message if it is invalid. */
function conditionOf(head: string, names: NamesInTokens, rows: readonly RowScope[], isStrict: boolean): Expression | string {
  if (head === '') return 'a section must name a field: write {{#if field}}';
  try {
    const condition = compileCondition(head, scopeOf(names, rows, isStrict));
    return isStrict && dividesByZero(condition) ? BY_ZERO : condition;
  } catch (error) {
    if (error instanceof ExpressionFault) return error.message;
    throw error;
  }
}

/** A piece of a template. */
interface Piece {
  from: number;
  /** The tables that have a current row. */
  rows: readonly RowScope[];
  /** The same object for all pieces of one branch of a section. */
  branch: object;
}

/** What a check finds of the sections of a template: their problems, and where tokens are read in which rows. */
export interface CheckedSections {
  problems: TemplateProblem[];
  /** What is at ascending offsets of the template. */
  pieceAt: (index: number) => Piece;
  /** The tables whose rows are repeated. */
  tables: ReadonlySet<string>;
}

/** The problems of all sections: conditions that cannot be read, and tokens that do not belong together. */
export function checkSections(template: string, names: NamesInTokens): CheckedSections {
  const { parts, problems } = sectionTree(template);
  const found = problems.map(({ at, message }) => ({ ...at, message }));
  const pieces: Piece[] = [];
  const tables = new Set<string>();
  const check = (all: readonly Part[], rows: readonly RowScope[], depth = 0): void => {
    if (depth > DEEPEST) return;
    for (const part of all) {
      if (!('kind' in part)) {
        pieces.push({ from: part.from, rows, branch: all });
        continue;
      }
      for (const { head, at, body } of part.branches) check(body, checkBranch(part.kind, head, at, rows), depth + 1);
    }
  };
  const checkBranch = (kind: Section['kind'], head: string | null, at: Branch['at'], rows: readonly RowScope[]): readonly RowScope[] => {
    if (kind === 'if') {
      const condition = head === null ? '' : conditionOf(head, names, rows, true);
      if (head !== null && typeof condition === 'string') found.push({ ...at, message: condition });
      return rows;
    }
    const repetition = repetitionOf(kind, head ?? '', names.schema, rows);
    if (typeof repetition === 'string') {
      found.push({ ...at, message: repetition });
      return rows;
    }
    tables.add(repetition.table);
    return repetition.rows;
  };
  check(parts, []);
  const positionOf = positionsIn(template);
  found.sort((one, other) => one.index - other.index);
  return {
    problems: found.map(({ token, index, message }) => ({ token, ...positionOf(index), message })),
    pieceAt: lookUp(pieces),
    tables,
  };
}

function lookUp(pieces: readonly Piece[]): CheckedSections['pieceAt'] {
  const none: Piece = { from: 0, rows: [], branch: pieces };
  let next = 0;
  return (index) => {
    while (next < pieces.length && pieces[next].from <= index) next++;
    return pieces[next - 1] ?? none;
  };
}

/** Finds lines and columns, from 1, of ascending positions. */
function positionsIn(template: string): (index: number) => Pick<TemplateProblem, 'line' | 'column'> {
  // the next end of a line is searched for once: a line may be as long as the template
  let [line, begin, end] = [1, 0, template.indexOf('\n')];
  return (index) => {
    while (end !== -1 && end < index) {
      line++;
      begin = end + 1;
      end = template.indexOf('\n', begin);
    }
    return { line, column: index - begin + 1 };
  };
}

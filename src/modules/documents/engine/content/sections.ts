import { dayProblem } from '../../model/core/value-formats.js';
import { propertyOf, type FieldSchema, type ScalarField, type TableField } from '../../model/core/field-schema.js';

/*
 * Sections of a template, which depend on the document's values:
 *
 *   {{#if renews}} ... {{else}} ... {{/if}}     the field has a value; a boolean is true; a table has rows
 *   {{#if fee >= 100000}}                       a number compared with a number; amounts are in the minor unit
 *   {{#if currency = "EUR"}}                    a text or date compared with a text in quotes
 *
 * Comparisons are =, !=, <, <=, > and >=; texts have only the first two. Sections may contain others. They are chosen before the
 * Markdown is parsed and before values replace tokens, so no value can begin or end one.
 */

/** A token of a section; an escaped brace begins none. */
const SECTION = /\\\{|\{\{\s*(#if(?![^\s{}|])[^{}|\n]*|else|\/if)\s*\}\}/g;
const CONDITION = /^(\S+?)(?:\s*(!=|<=|>=|=|<|>)\s*(.+))?$/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const TEXT = /^"([^"]*)"$/;
const DEEPEST = 10;

/** A problem with a token. Lines and columns count from 1. */
export interface TemplateProblem {
  token: string;
  line: number;
  column: number;
  message: string;
}

type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

interface Condition {
  name: string;
  compared: { by: Comparison; with: string | number | boolean } | null;
}

/** Whether the text between the braces of a token begins, divides or ends a section. */
export function isSection(inside: string): boolean {
  return /^\s*(?:#if(?:\s|$)|else\s*$|\/if\s*$)/.test(inside);
}

/** The template with the sections that the values choose; lines that consist of a token of a section are left out. */
export function withSections(template: string, schema: FieldSchema, values: Record<string, unknown>): string {
  const open: { isShown: boolean; isMet: boolean }[] = [];
  let result = '';
  let read = 0;
  const isShown = () => open.every((section) => section.isShown);
  for (const found of template.matchAll(SECTION)) {
    if (found[1] === undefined) continue;
    const [from, to] = wholeLine(template, found.index, found.index + found[0].length);
    if (isShown()) result += template.slice(read, Math.max(read, from));
    read = to;
    const token = found[1].trim();
    const innermost = open.at(-1);
    if (token === '/if') open.pop();
    else if (token !== 'else') {
      const condition = readCondition(token.slice('#if'.length), schema);
      const isMet = typeof condition !== 'string' && isMetBy(condition, schema, values);
      open.push({ isShown: isMet, isMet });
    } else if (innermost) innermost.isShown = !innermost.isMet;
  }
  return isShown() ? result + template.slice(read) : result;
}

/** The line with its end, if there is nothing but the token on it. Looks at nothing else than the spaces around it. */
function wholeLine(template: string, from: number, to: number): [from: number, to: number] {
  let [begin, end] = [from, to];
  while (begin > 0 && isBlank(template[begin - 1])) begin--;
  while (end < template.length && isBlank(template[end])) end++;
  const isAlone = (begin === 0 || template[begin - 1] === '\n') && (end === template.length || template[end] === '\n');
  return isAlone ? [begin, end + 1] : [from, to];
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\r';
}

/** The problems of all sections: conditions that cannot be read, and tokens that do not belong together. */
export function checkSections(template: string, schema: FieldSchema): TemplateProblem[] {
  const problems: TemplateProblem[] = [];
  const open: { at: TokenPosition; hasElse: boolean }[] = [];
  const positionOf = positionsIn(template);
  for (const found of template.matchAll(SECTION)) {
    if (found[1] === undefined) continue;
    const at = { token: found[0], ...positionOf(found.index) };
    const add = (message: string) => problems.push({ ...at, message });
    const token = found[1].trim();
    const innermost = open.at(-1);
    if (token === '/if') {
      if (!open.pop()) add('there is no {{#if ...}} before it');
    } else if (token === 'else') {
      if (!innermost) add('there is no {{#if ...}} before it');
      else if (innermost.hasElse) add('the section has an {{else}} already');
      else innermost.hasElse = true;
    } else {
      const text = token.slice('#if'.length);
      const condition = readCondition(text, schema);
      const problem = typeof condition === 'string' ? condition : literalProblem(text, schema);
      if (problem !== null) add(problem);
      open.push({ at, hasElse: false });
      if (open.length === DEEPEST + 1) add(`sections can be nested ${DEEPEST} levels deep`);
    }
  }
  return [...problems, ...open.map(({ at }) => ({ ...at, message: 'the section is not ended: write {{/if}} after it' }))];
}

type TokenPosition = Pick<TemplateProblem, 'token' | 'line' | 'column'>;

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

/** The condition, or a message if it is invalid. */
function readCondition(text: string, schema: FieldSchema): Condition | string {
  const [, name, by, literal] = CONDITION.exec(text.trim()) ?? [];
  if (name === undefined) return 'a section must name a field: write {{#if field}}';
  const property = propertyOf(schema, name);
  if (property === undefined) return `${name} is not a field of this type`;
  if (by === undefined) return { name, compared: null };
  if (property.type === 'array') return `${name} is a table, which cannot be compared: write {{#if ${name}}}`;
  const value = literalOf(literal, property);
  if (value === undefined) return `${name} can be compared with ${acceptedBy(property)}`;
  if (typeof value === 'boolean' || (typeof value === 'string' && !isTime(property)))
    if (by !== '=' && by !== '!=') return `${name} can only be compared by = and !=`;
  if (Array.isArray(property.enum) && !property.enum.includes(value))
    return `${value} is not a value of ${name}: ${property.enum.join(', ')}`;
  return { name, compared: { by: by as Comparison, with: value } };
}

/**
 * Why an integer is not compared with 120.00, which for an amount is 1.20, or a date with a day that does not exist. Only new
 * templates are checked: a published one must not lose the section.
 */
function literalProblem(text: string, schema: FieldSchema): string | null {
  const [, name = '', , literal] = CONDITION.exec(text.trim()) ?? [];
  const property = propertyOf(schema, name);
  const problem = property && property.type !== 'array' && dayProblem(property, TEXT.exec(literal?.trim() ?? '')?.[1]);
  if (problem) return `${name} can be compared with ${problem}`;
  return property?.type === 'integer' && literal?.includes('.') ? `${name} can be compared with ${acceptedBy(property)}` : null;
}

function literalOf(literal: string, { type }: ScalarField): string | number | boolean | undefined {
  const text = literal.trim();
  if (type === 'number' || type === 'integer') return NUMBER.test(text) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  return TEXT.exec(text)?.[1];
}

function acceptedBy({ type, 'x-format': format }: ScalarField): string {
  if (format === 'money') return 'a whole number of minor units, such as 12000 for 120.00';
  if (type === 'integer') return 'a whole number without a decimal point, such as 100000';
  if (type === 'number') return 'a number, such as 100000';
  return type === 'boolean' ? 'true or false' : 'a text in quotes, such as "EUR"';
}

/** ISO 8601 sorts as text. */
function isTime({ format }: ScalarField): boolean {
  return format === 'date' || format === 'date-time';
}

function isMetBy({ name, compared }: Condition, schema: FieldSchema, values: Record<string, unknown>): boolean {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (compared === null) return hasValue(value, propertyOf(schema, name));
  const { by, with: other } = compared;
  if (typeof value !== typeof other) return by === '!=';
  const [left, right] = [value as string, other as string];
  const results: Record<Comparison, boolean> = {
    '=': left === right,
    '!=': left !== right,
    '<': left < right,
    '<=': left <= right,
    '>': left > right,
    '>=': left >= right,
  };
  return results[by];
}

function hasValue(value: unknown, property: ScalarField | TableField | undefined): boolean {
  if (property?.type === 'array') return Array.isArray(value) && value.length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false;
}

/*
 * Sections of a template, which depend on the document's values:
 *
 *   {{#if renews}} ... {{else if fee >= 100000}} ... {{else}} ... {{/if}}    the first whose condition is true
 *   {{#each items}} ... {{/each}}                                            once for each row of a table
 *   {{#group items by vat_rate}} ... {{/group}}                              once for the rows with the same value in a column
 *
 * Sections may contain others.
 */

/** Patterns of fields have braces of their own, as in [0-9]{4} and \p{L}. */
const BRACES = String.raw`\{[\w,^=]{1,40}\}`;
/** A text in quotes, which may contain |, or a quote that begins none. Never both, so that matching takes linear time. */
const quote = (mark: string): string => {
  const rest = String.raw`[^${mark}{}\n]*(?:${BRACES}[^${mark}{}\n]*)*${mark}`;
  return `${mark}(?:${rest}|(?!${rest}))`;
};
const REST = String.raw`[^{}|\n"']*(?:(?:${BRACES}|${quote('"')}|${quote("'")})[^{}|\n"']*)*`;
/** What stands between the braces of a token; a token that begins with a brace is a brace before a token. */
export const TOKEN_TEXT = String.raw`(?!\{)${REST}`;
/** A token of a section; an escaped brace begins none. */
const SECTION = new RegExp(
  String.raw`\\\{|\{\{\s*(#(?:if|each|group)(?![^\s{}|])${REST}|else(?:\s+if(?![^\s{}|])${REST}|\s*)|\/(?:if|each|group)\s*)\}\}`,
  'g',
);
const PARTS = /^(#if|#each|#group|else\s+if|else|\/\w+)\s*([^]*)$/;
const INSIDE = /^\s*(?:#(?:if|each|group)(?:\s|$)|else\s*$|else\s+if(?:\s|$)|\/(?:if|each|group)\s*$)/;

/** Deeper sections are a problem, and are not looked into. */
export const DEEPEST = 10;

type SectionKind = 'if' | 'each' | 'group';

/** A token of a section, with its place in the template. */
interface SectionToken {
  token: string;
  index: number;
}

/** A part of a section: its condition, or what it repeats. Null for {{else}}. */
export interface Branch {
  head: string | null;
  at: SectionToken;
  body: Part[];
}

export interface Section {
  kind: SectionKind;
  branches: Branch[];
  at: SectionToken;
}

/** A piece of the template between two offsets, or a section. */
export type Part = { from: number; to: number } | Section;

/** The parts of a template, and the tokens that do not belong together. */
export interface SectionTree {
  parts: Part[];
  problems: { at: SectionToken; message: string }[];
}

/** Whether the text between the braces of a token begins, divides or ends a section. */
export function isSection(inside: string): boolean {
  return INSIDE.test(inside);
}

/** Lines that consist of a token of a section are left out of the pieces. */
export function sectionTree(template: string): SectionTree {
  const tree: SectionTree = { parts: [], problems: [] };
  const open: Section[] = [];
  let read = 0;
  const inside = () => open.at(-1)?.branches.at(-1)?.body ?? tree.parts;
  const text = (to: number) => {
    if (to > read) inside().push({ from: read, to });
  };
  for (const found of template.matchAll(SECTION)) {
    if (found[1] === undefined) continue;
    const [from, to] = wholeLine(template, found.index, found.index + found[0].length);
    text(from);
    read = Math.max(read, to);
    const at = { token: found[0], index: found.index };
    const [, word, head] = PARTS.exec(found[1].trim()) as RegExpExecArray;
    const problem = word.startsWith('#')
      ? begin(word.slice(1) as SectionKind, head.trim(), at)
      : word.startsWith('/')
        ? end(word.slice(1))
        : divide(word === 'else' ? null : head.trim(), at);
    if (problem !== null) tree.problems.push({ at, message: problem });
  }
  text(template.length);
  for (const { kind, at } of open) tree.problems.push({ at, message: `the section is not ended: write {{/${kind}}} after it` });
  return tree;

  function begin(kind: SectionKind, head: string, at: SectionToken): string | null {
    const section: Section = { kind, branches: [{ head, at, body: [] }], at };
    inside().push(section);
    open.push(section);
    return open.length === DEEPEST + 1 ? `sections can be nested ${DEEPEST} levels deep` : null;
  }

  function end(kind: string): string | null {
    if (open.at(-1)?.kind === kind) {
      open.pop();
      return null;
    }
    const other = open.at(-1);
    return other ? `the section ${other.at.token} must be ended first: write {{/${other.kind}}}` : `there is no {{#${kind} ...}} before it`;
  }

  function divide(head: string | null, at: SectionToken): string | null {
    const innermost = open.at(-1);
    if (innermost?.kind !== 'if') return 'there is no {{#if ...}} before it';
    const hasElse = innermost.branches.at(-1)?.head === null;
    innermost.branches.push({ head, at, body: [] });
    return hasElse ? 'the section has an {{else}} already' : null;
  }
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

import { sentencesOf, type Span } from './sentences.js';
import { oneOf } from './patterns.js';

export interface Sentence extends Span {
  /** The text with whitespace collapsed; a list item is prefixed with the introduction of its list. */
  fullText: string;
  /** The same with party names replaced by their roles; rules match this. */
  withRoles: string;
  clause: Clause;
  /** The label of a "label: value" line; empty for a row with several values. */
  label?: string;
}

/** A numbered or titled part of a contract. */
export interface Clause extends Span {
  number: string | null;
  /** Its heading, or that of the enclosing section. */
  heading: string | null;
  sentences: Sentence[];
}

const NUMBER = new RegExp(
  String.raw`^[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*|__)?` +
    oneOf(
      oneOf('section', 'article', 'clause', 'schedule', 'annex', 'appendix', 'exhibit', 'artikel', 'ziffer', 'anlage') +
        String.raw`[ \t]+(\d+(?:\.\d+)*|[ivxlc]+)\b[.:]?`,
      String.raw`(§{1,2}[ \t]*\d+[a-z]?)\b`,
      String.raw`(\d{1,3}(?:\.\d{1,3}){1,4})[.)]?(?=[ \t*])`,
      String.raw`(\d{1,3})[.)](?=[ \t*]|$)`,
      String.raw`(\d{1,3})(?=[ \t]+\p{Lu})`,
    ),
  'iu',
);
/** A line with an asterisk at both ends is part of a drawn box, not a list item. */
const ITEM = /^[ \t]*(?:\([a-z0-9]{1,4}\)|[a-z][.)]|[-•–][ \t]|\*[ \t](?!.*\*\s*$))/i;
const MARKDOWN_HEADING = /^[ \t]*(?:#{1,6}[ \t]|\*\*[^*]{2,80}\*\*[ \t]*$)/;
const VERBS = /\b(?:shall|may|must|will|is|are|was|were|has|have|agrees?|means?|wird|werden|ist|sind|kann|darf|hat|haben)\b/i;
const HEADING_LENGTH = 90;
/** The marker of a list item, which is not part of its text. */
const LEADING = /^(?:(?:and|or|und|oder) )?(?:\([a-z0-9]{1,4}\) |[a-z][.)] |[-•–] )/i;

/** A "label: value" line of a form or a table. */
const FACT = /^[ \t]*(?:[-•*][ \t]+)?(?<label>\p{L}[^:;|\n]{1,50}):[ \t]+(?<value>\S[^\n]*)$/u;

interface Block extends Span {
  number: string | null;
  item: boolean;
  label?: string;
}

/** The clauses of a text in order; together they cover the whole text. */
export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  const sections = new Map<number, string | null>();
  let clause: Clause | undefined;
  let lead = '';
  for (const block of blocksOf(text)) {
    const { title, body } = headingOf(text, block);
    if (!clause || block.number !== null || (title !== null && !block.item)) {
      const depth = block.number === null ? 1 : block.number.split('.').length;
      for (const deeper of [...sections.keys()]) if (deeper >= depth) sections.delete(deeper);
      sections.set(depth, title);
      const inherited = [...sections].sort(([a], [b]) => b - a).find(([, heading]) => heading !== null)?.[1] ?? null;
      clause = { number: block.number, heading: inherited, start: block.start, end: block.end, sentences: [] };
      clauses.push(clause);
      lead = '';
    }
    clause.end = block.end;
    // a title is not a sentence, whether on its own line or before the text
    for (const span of block.label === undefined ? sentencesOf(text, body, block.end) : [{ start: block.start, end: block.end }]) {
      const words = flat(text.slice(span.start, span.end)).replace(LEADING, '');
      if (block.label === undefined && !/\p{L}{4}/u.test(words)) continue;
      const fullText = block.item && lead !== '' ? `${lead} ${words}` : words;
      clause.sentences.push({ ...span, clause, fullText, withRoles: fullText, ...(block.label !== undefined && { label: block.label }) });
    }
    const last = text.slice(body, block.end).trimEnd();
    if (!block.item) lead = last.endsWith(':') ? (clause.sentences.at(-1)?.fullText.slice(-300) ?? '') : '';
  }
  return clauses;
}

export function flat(text: string): string {
  return text.replace(/[\s*_#]+/g, ' ').trim();
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let before = '';
  let afterTitle = false;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    // markers are at the beginning of a line
    const line = text.slice(start, Math.min(end, start + 200));
    const blank = /^[\s*]*$/.test(line);
    const open = blocks.at(-1);
    const after = text.slice(end + 1, end + 201).split('\n', 1)[0];
    // capitals that continue on the next line are prose, not a title
    const title: boolean =
      MARKDOWN_HEADING.test(line) || (isCapitals(line) && !goesOn(after) && (afterTitle || before.trim() === '' || !goesOn(before)));
    // a wrapped line may begin with a number: it is a clause number only after a blank line, a heading or a full stop
    const free: boolean = before.trim() === '' || afterTitle || /(?:[.;:!?)*]|\b(?:and|or|und|oder))\s*$/.test(before);
    const number: string | null = free && !blank ? numberOf(line, before.trim() === '') : null;
    const item =
      number === null && (free || (open?.item === true && /,\s*$/.test(before))) && ITEM.test(line) && !MARKDOWN_HEADING.test(line);
    const besides = open?.label !== undefined && before.trim() !== '';
    // prose that continues on the next line is not a "label: value" line
    const label =
      number === null && !title && (free || besides) && (/^\s*$/.test(after) || labelOf(after) !== undefined) && end - start === line.length
        ? labelOf(line)
        : undefined;
    if (!blank) {
      if (label !== undefined || besides) blocks.push({ start, end, number, item, label });
      else if (!open || before.trim() === '' || number !== null || item || title || afterTitle) blocks.push({ start, end, number, item });
      else open.end = end;
    }
    before = text.slice(Math.max(start, end - 200), end);
    afterTitle =
      !blank &&
      (title ||
        (number !== null &&
          !(goesOn(line) && goesOn(after)) &&
          line.trim().length <= 70 &&
          !/[.;,:]\s*$|\p{L}[.:]\s+\S/u.test(line) &&
          !VERBS.test(line)));
    start = end + 1;
  }
  return blocks;
}

function labelOf(line: string): string | undefined {
  if (/\S \| \S/.test(line)) return '';
  if (VERBS.test(line)) return undefined;
  const found = FACT.exec(line.replace(/[*_]{2}/g, ''));
  return found && found.groups!.label.split(' ').length <= 7 && !/[.;!?]\s*$/.test(line) ? found.groups!.label.trim() : undefined;
}

function numberOf(line: string, blankBefore: boolean): string | null {
  const found = NUMBER.exec(line);
  if (!found) return null;
  const [, named, paragraph, parts, single, bare] = found;
  if (bare !== undefined && !(blankBefore && isTitle(line.slice(found[0].length)))) return null;
  return paragraph?.replace(/\s+/g, ' ') ?? named ?? parts ?? single ?? bare ?? null;
}

/** Whether a line is in capitals and continues on the next one. */
function goesOn(line: string): boolean {
  return line.length > 30 && line === line.toUpperCase() && /\p{Lu}{3}/u.test(line);
}

/** Whether a line looks like a title. */
function isTitle(line: string): boolean {
  return MARKDOWN_HEADING.test(line) || isCapitals(line);
}

function isCapitals(line: string): boolean {
  const words = line.trim();
  return (
    words.length > 3 &&
    words.length <= HEADING_LENGTH &&
    !/[.;,!?]$/.test(words) &&
    words === words.toUpperCase() &&
    /\p{Lu}{3}/u.test(words)
  );
}

/** The heading at the beginning of a block: a few words without a verb. */
function headingOf(text: string, block: Block): { title: string | null; body: number } {
  const opening = text.slice(block.start, Math.min(block.end, block.start + 200));
  const number = block.number === null ? '' : (NUMBER.exec(opening)?.[0] ?? '');
  const rest = opening.slice(number.length);
  const found = block.item
    ? null
    : block.end - block.start <= opening.length &&
        !(/^\s*#/.test(opening) ? /[.;!?]\s+\S|[;,]\s*$/ : /[.;,!?:]\s+\S|[;,]\s*$/).test(rest.trim()) &&
        (number !== '' || isTitle(opening))
      ? [rest, rest]
      : number !== '' || /^\s*\*\*/.test(rest)
        ? /^([^.:;\n]{3,80})[.:](?:\*\*|__)?\s+(?=["'“„(*_]*[\p{Lu}(])/u.exec(rest)
        : null;
  const title = found && flat(found[1]).replace(/^[\s.:)–-]+|[\s.:–-]+$/g, '');
  if (!title || title.length > HEADING_LENGTH || title.split(' ').length > 10 || VERBS.test(title) || !/^["“„(]?[\p{Lu}\d]/u.test(title))
    return { title: null, body: block.start + number.length };
  // "9.1 German law applies." may be a title or a sentence: a short one counts as both, a long one as a sentence
  const stated = found[0] === rest && /\.\s*$/.test(rest) && /(?<!\p{L})\p{Ll}{4}/u.test(title);
  return {
    title: stated && title.split(' ').length > 3 ? null : title,
    body: block.start + number.length + (stated ? 0 : found[0].length),
  };
}

import { CommonErrors, own, sql, table, type Ctx, type Project, type Tx } from '../../../../kit/index.js';
import type { DocumentTypeVersion } from '../types/document-type-version.entity.js';
import type { TypeDefinition } from '../types/type-definition.js';
import { Document } from './document.entity.js';

/** The numbering of types that do not define one. */
const STANDARD = { pattern: '{TYPE}-{SEQ:5}', reset: 'never', assign_at: 'create', gapless: false } as const;

const SEQUENCE = /\{SEQ(?::\d{1,2})?\}/;
const SEQUENCE_WITH_WIDTH = /\{SEQ(?::(\d{1,2}))?\}/;

/** A formatter takes longer to make than a document to insert. */
const monthFormats = new Map<string, Intl.DateTimeFormat>();

export type NumberingMoment = 'create' | 'finalize';

/**
 * The number to assign at this moment; null if the type assigns it at the other. A type has one series for the whole
 * organization, or one per project if its pattern contains {PROJECT}.
 */
export async function numberAt(
  moment: NumberingMoment,
  tx: Tx,
  { type_id, number: version, definition }: Pick<DocumentTypeVersion, 'type_id' | 'number' | 'definition'>,
  code: string,
  project: Project,
  ctx: Ctx,
  now: Date,
): Promise<string | null> {
  const { pattern, reset, assign_at, gapless } = definition.numbering ?? STANDARD;
  if (assign_at !== moment) return null;
  const [year, month] = localMonth(now, project.timezone);
  const period = { never: '', year, month: `${year}-${month}` }[reset];
  const series = `document ${type_id} ${period}`.trim();
  const perProject = pattern.includes('{PROJECT}');
  const start = pattern
    .replaceAll('{TYPE}', code.toUpperCase())
    .replaceAll('{PROJECT}', project.key)
    .replaceAll('{YYYY}', year)
    .replaceAll('{MM}', month);
  // one series under one pattern never repeats a number; two series of a type can meet, such as AGR-{SEQ} and {PROJECT}-{SEQ}
  const canMeet = perProject || version > 1 || moment === 'finalize';
  const owner = perProject ? project.id : null;
  for (let isFirst = true; ; isFirst = false) {
    const sequence = gapless ? await tx.next(series, owner, { gapless: true }) : await tx.next(series, owner);
    const text = start.replace(SEQUENCE_WITH_WIDTH, (_, digits: string | undefined) => String(sequence).padStart(Number(digits ?? 1), '0'));
    const number = ctx.mode === 'test' ? `TEST-${text}` : text;
    if (!canMeet || !(await isTaken(tx, type_id, number))) return number;
    const [before, after] = `${ctx.mode === 'test' ? 'TEST-' : ''}${start}`.split(SEQUENCE);
    if (isFirst) await tx.advanced.advance(series, owner, await highestTaken(tx, type_id, before, after, sequence), gapless);
  }
}

/** The highest sequence of a type's numbers with this beginning and end; at least `sequence`. */
async function highestTaken(tx: Tx, typeId: string, before: string, after: string, sequence: number): Promise<number> {
  const [start, end] = [sql`${before}::text`, sql`${after}::text`];
  const [{ highest }] = await tx.sql<{ highest: number | null }>(
    sql.inAllProjects('numbers of a type count in all projects')`SELECT max(digits::integer) AS highest
      FROM (
        SELECT substr(d.number, length(${start}) + 1, length(d.number) - length(${start}) - length(${end})) AS digits
        FROM ${table(Document)} d
        WHERE ${own('d')} AND d.type_id = ${typeId} AND starts_with(d.number, ${start}) AND right(d.number, length(${end})) = ${end}
          AND length(d.number) > length(${start}) + length(${end})
      ) numbers
      WHERE digits ~ '^[0-9]{1,9}$'`,
  );
  return Math.max(sequence, highest ?? 0);
}

async function isTaken(tx: Tx, typeId: string, number: string): Promise<boolean> {
  const [row] = await tx.sql(
    sql.inAllProjects(
      'numbers of a type are unique in all projects',
    )`SELECT 1 FROM ${table(Document)} d WHERE ${own('d')} AND d.type_id = ${typeId} AND d.number = ${number} LIMIT 1`,
    { onlyReads: true },
  );
  return row !== undefined;
}

/** Why a pattern is invalid, or null. */
export function numberingProblem(pattern: string, reset: 'never' | 'year' | 'month'): string | null {
  // numbers appear in mail subjects, file names and CSV
  if (/[\p{Cc}\u2028\u2029]/u.test(pattern)) return 'must be one line without control characters';
  const unknown = [...pattern.matchAll(/\{[^}]*\}/g)]
    .map(([token]) => token)
    .find((token) => !/^\{(TYPE|PROJECT|YYYY|MM|SEQ(:([1-9]|1[0-2]))?)\}$/.test(token));
  if (unknown) return `has the unknown token ${unknown}; use {TYPE} {PROJECT} {YYYY} {MM} {SEQ:5}`;
  if ([...pattern.matchAll(/\{SEQ/g)].length !== 1) return 'must contain {SEQ:n} once';
  if (reset !== 'never' && !pattern.includes('{YYYY}')) return 'must contain {YYYY}, or numbers would repeat when the sequence restarts';
  if (reset === 'month' && !pattern.includes('{MM}')) return 'must contain {MM}, or numbers would repeat when the sequence restarts';
  return null;
}

/** Rejects another `reset` or `gapless` for a pattern that was published before: numbers would repeat or have gaps. */
export function requireOwnNumbers(code: string, { numbering }: TypeDefinition, published: readonly TypeDefinition[]): void {
  const { pattern, reset, gapless } = numbering ?? STANDARD;
  const before = published
    .map((earlier) => earlier.numbering ?? STANDARD)
    .find(
      (earlier) =>
        canonicalPattern(earlier.pattern, code) === canonicalPattern(pattern, code) &&
        (earlier.reset !== reset || earlier.gapless !== gapless),
    );
  if (!before) return;
  const member = before.reset === reset ? 'gapless' : 'reset';
  const message =
    `numbering.${member} was ${String(before[member])} when the pattern ${before.pattern} was published, and cannot change under ` +
    'the same pattern, or numbers would repeat or have gaps; change numbering.pattern as well';
  throw CommonErrors.validationFailed({ param: `numbering.${member}`, message });
}

/** Equal for patterns that produce the same numbers. The width of the sequence does not count: long numbers exceed it. */
function canonicalPattern(pattern: string, code: string): string {
  return pattern.replaceAll('{TYPE}', code.toUpperCase()).replace(/\{SEQ(?::\d{1,2})?\}/, '{SEQ}');
}

function localMonth(now: Date, timeZone: string): [year: string, month: string] {
  let format = monthFormats.get(timeZone);
  if (!format) monthFormats.set(timeZone, (format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit' })));
  const parts = format.formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value as string;
  return [part('year'), part('month')];
}

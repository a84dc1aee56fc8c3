import { IN_FULL, OMITTED, SHORTENED } from '../catalog/output-schema.js';
import { isObject } from '../../../kit/index.js';
import type { Json } from '../protocol/protocol.js';

/** Of so many rows, in both copies with what is around them. */
const MAX_BYTES = 12 * 1024;
const ROWS = 25;
const AROUND = 320;

/** Texts keep at least so many characters before members are left out, and afterwards at least so many. */
const LEGIBLE = 40;
const LEAST = 16;

/** What tells a record from others, and its state: never left out. */
const KEPT =
  /^(?:id|number|key|sku|code|title|subject|(?:.+_)?(?:status|state|name)|project_key|currency|totals|(?:.+_)?amount|on_hand|available)$/;

const MESSAGE = 'Name members in fields to read them in full.';

/**
 * A page whose rows are not too long. The longest texts are shortened first. If they would be illegible, the page becomes one of `lesser`,
 * which lack more and more members; then texts are shortened further, and the members that take most are left out. The page says which
 * members it lacks or has in part. `texts` are the paths of those that may be shortened.
 */
export function fittedPage(page: Json, texts: ReadonlySet<string> = new Set(), lesser: readonly (() => Json)[] = []): Json {
  if (!isLong(page)) return page;
  let fitted = page;
  for (const next of [() => page, ...lesser]) {
    fitted = next();
    const legible = isLong(fitted) ? shortened(fitted, texts, LEGIBLE) : fitted;
    if (!isLong(legible)) return withMessage(legible);
  }
  for (;;) {
    const short = shortened(fitted, texts, LEAST);
    if (!isLong(short)) return withMessage(short);
    const longest = longestMember(fitted);
    if (longest === undefined) return withMessage(shortened(fitted, texts, LEAST / 2));
    fitted = without(fitted, longest);
  }
}

function withMessage(page: Json): Json {
  return OMITTED in page || SHORTENED in page ? { ...page, [IN_FULL]: MESSAGE } : page;
}

/** The member that takes most of the rows, of those that they can do without. Objects say who or what a row is about. */
function longestMember({ data }: Json): string | undefined {
  const bytes = new Map<string, number>();
  for (const row of data as Json[])
    for (const [name, value] of Object.entries(row))
      if (!KEPT.test(name) && !isObject(value)) bytes.set(name, (bytes.get(name) ?? name.length) + JSON.stringify(value).length);
  return [...bytes].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function without(page: Json, member: string): Json {
  const data = (page['data'] as Json[]).map(({ [member]: _, ...row }) => row);
  return { ...page, data, [OMITTED]: [...((page[OMITTED] ?? []) as string[]), member] };
}

/** Whether the page takes more than its rows may, as structured content and as text, in which each quote is escaped. */
function isLong(page: Json): boolean {
  const json = JSON.stringify(page);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json)) > bytesFor(page);
}

function bytesFor({ data }: Json): number {
  return MAX_BYTES * Math.max(1, (data as Json[]).length / ROWS) - AROUND;
}

/** The page with the longest texts that fit, but each of at least so many characters. */
function shortened(page: Json, texts: ReadonlySet<string>, least: number): Json {
  let best = cut(page, texts, least);
  if (isLong(best)) return best;
  let [short, long] = [least, bytesFor(page)];
  while (long - short > 1) {
    const middle = Math.floor((short + long) / 2);
    const longer = cut(page, texts, middle);
    if (isLong(longer)) long = middle;
    else [best, short] = [longer, middle];
  }
  return best;
}

/** The page without what its texts have beyond so many characters. */
function cut(page: Json, texts: ReadonlySet<string>, most: number): Json {
  const names = new Set<string>();
  const visit = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, path));
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner, `${path}.${name}`)]));
    if (typeof value !== 'string' || value.length <= most || !texts.has(path.slice(1))) return value;
    names.add(path.split('.')[1]!);
    return `${beginning(value, most - 1)}…`;
  };
  const data = visit(page['data'], '');
  return names.size === 0 ? page : { ...page, data, [SHORTENED]: [...names] };
}

/** Ends between two characters, also where one takes two units, and without the spaces before the cut. */
function beginning(text: string, units: number): string {
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(units - 1));
  return text.slice(0, isPair ? units - 1 : units).trimEnd();
}

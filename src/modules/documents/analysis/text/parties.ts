import { oneOf } from './patterns.js';
import { isRole, role } from './roles.js';

export interface Party {
  name: string;
  role: string | null;
}

/** Parties are named at the beginning. */
const PREAMBLE = 6_000;
const QUOTES = '"“”„‟«»';
const ALIAS = new RegExp(
  String.raw`(?:\(|[–—-]\s*|,\s*)(?:\s*` +
    oneOf('and ', 'each ', 'together ', 'collectively ', 'jointly ') +
    '?' +
    oneOf(
      'herein(?:after)?',
      'hereafter',
      'nachfolgend',
      'nachstehend',
      'im folgenden',
      'in the following',
      'the',
      'also',
      'as',
      'be',
      'is',
      'referred to',
      'called',
      'known',
      'auch',
      'kurz',
      'die',
      'der',
      'den',
      'das',
      ':',
      ',',
    ) +
    String.raw`\s*){0,8}[*_]*[${QUOTES}][*_]*(?:the |der |die )?(?<alias>[\p{L}][\p{L}\p{N} .&'-]{0,40}?)[*_,]*[${QUOTES}]`,
  'giu',
);
const LEGAL_FORM = new RegExp(
  String.raw`\b` +
    oneOf(
      String.raw`GmbH(?: & Co\.? KG)?`,
      'AG',
      'UG',
      'KG',
      'OHG',
      'eG',
      String.raw`e\.V\.`,
      'SE',
      String.raw`Ltd\.?`,
      'Limited',
      'LLC',
      'LLP',
      'LP',
      String.raw`Inc\.?`,
      'Incorporated',
      String.raw`Corp\.?`,
      'Corporation',
      'PLC',
      'plc',
      String.raw`B\.V\.`,
      'BV',
      String.raw`N\.V\.`,
      String.raw`S\.A\.`,
      'SA',
      'SAS',
      String.raw`S\.r\.l\.`,
      String.raw`S\.p\.A\.`,
      'Oy',
      'AB',
      'ApS',
      'A/S',
      'Pty Ltd',
      String.raw`Sp\. z o\. ?o\.`,
    ) +
    String.raw`(?=[\s,;.()*–"“]|$)`,
  '',
);
const NAMED_COMPANY = new RegExp(`(?<![\\p{L}])((?:[\\p{Lu}][\\p{L}\\p{N}&'.-]*[ ,]{1,2}(?:& )?){1,5}${LEGAL_FORM.source})`, 'gu');
const NOT_A_PARTY = new RegExp(
  '^' +
    oneOf(
      'agreements?',
      'contract',
      'vertrag',
      'part(?:y|ies)',
      'partei(?:en)?',
      'effective date',
      'services?',
      'software',
      'products?',
      'terms?',
      'confidential information',
      'deliverables?',
      'fees?',
      'premises',
      'property',
      'work',
      'licen[cs]e',
      'you',
      'your',
      'affiliates?',
      'order form',
      'sow',
      'statement of work',
      'start date',
      'end date',
      'term',
      'vertragsparteien',
      'commencement date',
    ) +
    '$',
  'i',
);
const LINE = new RegExp(`^[ \\t*_-]*(?:name (?:of )?)?${role('line')}[*_]*[ \\t]*:[*_ \\t]*(?<name>[^\\n]{2,120})`, 'gimu');
const BETWEEN = /\b(?:between|by and between|zwischen)\b[\s:*_-]*/i;
/** Marks the end of the part that names the parties. */
const OPERATIVE = new RegExp(
  [
    String.raw`\b` +
      oneOf('agree(?:d)? as follows', 'witnesseth', 'whereas', 'now,? therefore', 'vereinbaren', 'wird folgendes', 'wird folgender') +
      String.raw`\b`,
    String.raw`\n\s*(?:§ ?|#+ )?[1-9]\d?[.)] +\p{Lu}\p{L}+(?: \p{L}+){0,4}[.:]?\n`,
  ].join('|'),
  'iu',
);
const SENTENCE = /\b(?:shall|will|agree[sd]?|means|this|grants?|are|is|may|must)\b/i;
const DESCRIPTION = new RegExp(
  [
    String.raw`,? ?\b` +
      oneOf(
        'an? ',
        'the ',
        'one ',
        'having ',
        'incorporated',
        'organi[sz]ed',
        'registered',
        'whose',
        'with ',
        'of ',
        'located',
        'acting',
        'trading',
        'at ',
        'residing',
        'represented',
        'company ',
        'vertreten',
        'wohnhaft',
        'geboren',
        'geschäftsansässig',
        'mit sitz',
        'eine?r? ',
        'handelnd',
      ),
    ',',
    String.raw`\(`,
    ' [–—-] ',
    ';',
    String.raw`\n`,
  ].join('|'),
  'i',
);

/** The parties as named at the beginning: by a quoted definition, by "between ... and ...", or by a "role: name" line. */
export function partiesOf(text: string): Party[] {
  const opening = text
    .slice(0, PREAMBLE)
    .replace(/\r/g, '')
    .replace(/[*_]{2,}/g, '');
  for (const found of [defined(opening), listed(opening), between(opening), companies(opening)])
    if (found.length) return found.slice(0, 10);
  return [];
}

/** `Acme Ltd, a company of ... ("the Supplier")` */
function defined(opening: string): Party[] {
  const parties: Party[] = [];
  const between = BETWEEN.exec(opening)?.index ?? -1;
  let from = Math.max(0, between);
  for (const match of opening.slice(from).matchAll(ALIAS)) {
    const alias = match.groups!.alias.trim();
    const at = Math.max(0, between) + match.index;
    const known = isRole(alias);
    // without "between", only a role distinguishes a party from other defined terms
    if (!NOT_A_PARTY.test(alias) && (known || (between !== -1 && at - between < 2_500 && !OPERATIVE.test(opening.slice(between, at))))) {
      const name = nameBefore(opening.slice(Math.max(from, at - 400), at));
      if (name && !parties.some((party) => party.name === name)) parties.push({ name, role: known ? alias : roleOfAlias(alias) });
    }
    from = at + match[0].length;
  }
  // a single definition is usually not a party
  return parties.length >= 2 || (parties.length === 1 && isRole(parties[0].role ?? '')) ? parties : [];
}

function roleOfAlias(alias: string): string | null {
  return alias.split(' ').length <= 2 ? alias : null;
}

function nameBefore(before: string): string | null {
  const parts = before.split(
    /\b(?:by and between|between|zwischen|and|und)\b[:\s]*(?=[\p{Lu}\d(“"*_]|\d\.)|;|\n\s*\n|\n\s*(?:\d+[.)]|[-•(])|^\)/iu,
  );
  const start = clean(parts.at(-1) ?? '') === null && parts.length > 1 ? parts.at(-2)! : (parts.at(-1) ?? '');
  return clean(start);
}

/** The name at the beginning of a description; null for a blank in a form. */
function clean(described: string): string | null {
  const trimmed = described
    .replace(/^[\s\d.,:;)•"“”*_-]+(?=\p{L})/u, '')
    .replace(/^\((?:\d|[a-z]{1,3})\)\s*/i, '')
    .replace(/^(?:the |der |die |dem |den |herrn? |frau |firma )/i, '')
    .trim();
  const form = LEGAL_FORM.exec(trimmed.slice(0, 120));
  const cutAt =
    form && !/[(;\n]/.test(trimmed.slice(0, form.index)) && form.index < 80
      ? form.index + form[0].length
      : (DESCRIPTION.exec(trimmed)?.index ?? trimmed.length);
  const name = trimmed
    .slice(0, cutAt)
    .replace(/\s+/g, ' ')
    .replace(/[\s,:*_"“”–-]+$/g, '')
    .trim();
  return name.length >= 2 &&
    name.length <= 100 &&
    /\p{L}{2}/u.test(name) &&
    /^[\p{Lu}\d]/u.test(name) &&
    name.split(' ').length <= 10 &&
    !/[[\]{}_<>:]/.test(name) &&
    !SENTENCE.test(name)
    ? name
    : null;
}

/** `Landlord: Jane Roe` */
function listed(opening: string): Party[] {
  return [...opening.matchAll(LINE)]
    .flatMap((match) => {
      const name = clean(match.groups!.name);
      return name ? [{ name, role: match.groups!.line }] : [];
    })
    .filter((party, index, all) => all.findIndex(({ name }) => name === party.name) === index);
}

/** `between Acme Ltd and Jane Roe` */
function between(opening: string): Party[] {
  const found = BETWEEN.exec(opening);
  if (!found) return [];
  const described = opening
    .slice(found.index + found[0].length, found.index + 700)
    .split(/\.\s+(?=\p{Lu})|(?<!\b(?:and|und))\n\s*\n\s*(?!and\b|und\b)/u)[0];
  const names = described
    .split(/\b(?:and|und)\b\s+(?=[\p{Lu}\d])/u)
    .slice(0, 4)
    .map(clean);
  return names.length >= 2 && names[0] !== null ? names.flatMap((name) => (name ? [{ name, role: null }] : [])) : [];
}

function companies(opening: string): Party[] {
  const names = new Set([...opening.matchAll(NAMED_COMPANY)].map(([, name]) => name.replace(/\s+/g, ' ').trim()));
  return [...names].slice(0, 4).map((name) => ({ name, role: null }));
}

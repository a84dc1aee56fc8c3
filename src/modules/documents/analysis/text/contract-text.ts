import { clausesOf, flat, type Clause, type Sentence } from './clauses.js';
import { partiesOf, type Party } from './parties.js';
import { oneOf } from './patterns.js';
import { isRole, sidesOf, type Side } from './roles.js';

/** A parsed contract. */
export interface ContractText {
  text: string;
  title: string | null;
  clauses: Clause[];
  parties: Party[];
  /** Without sentences addressed to automated readers: those are reported, never read as part of the contract. */
  sentences: Sentence[];
  embedded: Sentence[];
  sideOf: (role: string) => Side | null;
}

/** Wordings that try to steer a program that reads the text (prompt injection). */
const STEERS = new RegExp(
  [
    String.raw`\b` +
      oneOf(String.raw`ignor\w*`, 'disregard', 'forget', 'override', 'vergiss', 'ignoriere') +
      String.raw` (?:\w+ ){0,4}` +
      oneOf('instruction', 'prompt', 'rule', 'guideline', 'anweisung') +
      String.raw`\w*`,
    String.raw`\b(?:you are|act as|du bist) (?:now )?(?:an? |ein )?(?:\w+ )?` +
      oneOf('ai', 'ki', 'llm', 'chatbot', '(?:language )?model', 'assistant', 'assistent') +
      String.raw`\b`,
    String.raw`\b(?:system|developer) (?:prompt|message)\b`,
    '</?(?:system|instructions?|assistant)>',
    String.raw`\b(?:ai|llm|language model|automated)[ -](?:assistant|reviewer|model|system|tool)s?\b[^.]{0,60}\b` +
      oneOf('must', 'should', 'shall', 'please', 'report', 'answer', 'respond', 'output', 'rate', 'conclude') +
      String.raw`\b`,
    String.raw`\b(?:respond|reply|answer) only with\b`,
  ].join('|'),
  'i',
);

export function readContract(text: string): ContractText {
  const clauses = clausesOf(text);
  const parties = partiesOf(text);
  const byRole = rolesForNames(text, parties);
  const all = clauses.flatMap(({ sentences }) => sentences);
  if (byRole) for (const sentence of all) sentence.withRoles = byRole(sentence.fullText);
  const embedded = all.filter(({ fullText }) => STEERS.test(fullText));
  return {
    text,
    title: titleOf(text),
    clauses,
    parties,
    sentences: embedded.length ? all.filter((sentence) => !embedded.includes(sentence)) : all,
    embedded,
    sideOf: sidesOf(text),
  };
}

/** Replaces party names by roles: "Acme shall" becomes "Supplier shall". */
function rolesForNames(text: string, parties: readonly Party[]): ((sentence: string) => string) | null {
  const speaksToYou = (text.slice(0, 20_000).match(/\byou(?:r)?\b/gi) ?? []).length >= 5;
  const roles = new Map<string, string>();
  for (const { name, role } of parties) {
    const called = role !== null && isRole(role) ? role : speaksToYou ? 'we' : null;
    if (called === null) continue;
    const [first] = name.split(/[\s,]+/);
    for (const form of [name, first, role ?? first])
      if (form.length >= 3 && !isRole(form) && /^\p{Lu}/u.test(form)) roles.set(form, called);
  }
  if (roles.size === 0) return null;
  const names = new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${[...roles.keys()]
      .sort((a, b) => b.length - a.length)
      .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('|')})(?![\p{L}\p{N}])`,
    'gu',
  );
  return (sentence) => sentence.replace(names, (form) => roles.get(form)!);
}

function titleOf(text: string): string | null {
  const first = text
    .slice(0, 2_000)
    .split('\n')
    .map(flat)
    .find((line) => /\p{L}{3}/u.test(line));
  if (first === undefined || first.length > 100 || /[.;,]$/.test(first)) return null;
  return first;
}

/** "Clause 9.2 (Limitation of liability)" */
export function nameOf(clause: Clause): string {
  const heading =
    clause.heading === null
      ? null
      : clause.heading === clause.heading.toUpperCase()
        ? clause.heading.charAt(0) + clause.heading.slice(1).toLowerCase()
        : clause.heading;
  if (clause.number !== null)
    return `${/^[§]/.test(clause.number) ? clause.number : `Clause ${clause.number}`}${heading ? ` (${heading})` : ''}`;
  return heading ? `The part "${heading}"` : 'The text';
}

import { distance } from 'fastest-levenshtein';
import type { Setting } from '../../kit/internal.js';

/** Names of as many letters may differ in so many, most first. Those of 4 letters resemble too many others: letters may be swapped. */
const MISSPELT = [
  { letters: 9, edits: 2 },
  { letters: 6, edits: 1 },
];
/** A library reads more variables of the family than those that are settings. */
const OF_LIBRARIES: ReadonlySet<string> = new Set(['OTEL']);

/** A sentence for each name that is no setting but resembles one, or begins like several of them (`WEBHOOK_...`). */
export function unknownVariables(names: readonly string[], settings: readonly Setting[]): string[] {
  const firstWords = settings.flatMap(({ variable }) => (variable.includes('_') ? firstWord(variable) : []));
  const families = new Set(firstWords.filter((word, index) => firstWords.indexOf(word) !== index && !OF_LIBRARIES.has(word)));
  return unknownNames(names, settings).flatMap(({ name, hint }) =>
    hint !== undefined || (name.includes('_') && families.has(firstWord(name))) ? sentence(name, hint ?? '.') : [],
  );
}

/** A sentence for each name that is no setting but resembles one. */
export function misspeltVariables(names: readonly string[], settings: readonly Setting[]): string[] {
  return unknownNames(names, settings).flatMap(({ name, hint }) => (hint === undefined ? [] : sentence(name, hint)));
}

function sentence(name: string, hint: string): string {
  return `The environment variable ${name} is not a setting and is ignored${hint}`;
}

function unknownNames(names: readonly string[], settings: readonly Setting[]): { name: string; hint: string | undefined }[] {
  const known = settings.flatMap(({ variable, secret }) => (secret ? [variable, `${variable}_FILE`] : [variable]));
  return names
    .filter((name) => !known.includes(name) && !isOfKubernetes(name, names))
    .map((name) => ({ name, hint: hintOf(name, known, settings) }));
}

function hintOf(name: string, known: readonly string[], settings: readonly Setting[]): string | undefined {
  const read = settings.find(({ variable }) => isOurs(variable) && name === `${variable}_FILE`)?.variable;
  if (read !== undefined) return `: only secrets are read from files; set ${read}.`;
  const meant = nearestOf(name, known) ?? known.find((variable) => hasOtherWords(name, variable));
  return meant === undefined ? undefined : `; did you mean ${meant}?`;
}

/** Not the first word of what other programs read, as HOST and PORT are. */
function isOurs(variable: string): boolean {
  return editsAllowed(variable) > 0;
}

/** In the singular, without one of the words, or with one more after the only one. */
function hasOtherWords(name: string, variable: string): boolean {
  const [given, words] = [name.split('_'), variable.split('_')];
  if (words.length === 1) return isOurs(variable) && given.length === 2 && given[0] === variable;
  if (given.length < 2) return false;
  if (given.length === words.length) return given.map(singular).join() === words.map(singular).join();
  // a library reads OTEL_TRACES_SAMPLER
  const last = OF_LIBRARIES.has(words[0]) ? words.length - 1 : words.length;
  return words.slice(0, last).some((_, index) => given.join() === words.toSpliced(index, 1).join());
}

function singular(word: string): string {
  return word.replace(/IES$/, 'Y').replace(/S$/, '');
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  let nearest: { variable: string; edits: number } | undefined;
  for (const variable of known) {
    const edits = editsBetween(name, variable);
    if (edits <= editsAllowed(variable) && (nearest === undefined || edits < nearest.edits)) nearest = { variable, edits };
  }
  return nearest?.variable;
}

/** Underscores do not count, and neither do two letters in the wrong order. */
function editsBetween(name: string, variable: string): number {
  const [one, other] = [name.replaceAll('_', ''), variable.replaceAll('_', '')];
  return isSwapped(one, other) ? 0 : distance(one, other);
}

function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return at >= 0 && `${one.slice(0, at)}${one[at + 1]}${one[at]}${one.slice(at + 2)}` === other;
}

function editsAllowed(variable: string): number {
  return MISSPELT.find(({ letters }) => variable.replaceAll('_', '').length >= letters)?.edits ?? 0;
}

/** Kubernetes sets variables for each service: for one named redis, REDIS_SERVICE_HOST, REDIS_PORT and others. */
function isOfKubernetes(name: string, names: readonly string[]): boolean {
  const service = /^(.+?)_(?:SERVICE_HOST|SERVICE_PORT|PORT)(?:_|$)/.exec(name)?.[1];
  return service !== undefined && names.includes(`${service}_SERVICE_HOST`);
}

function firstWord(name: string): string {
  return name.slice(0, name.indexOf('_'));
}

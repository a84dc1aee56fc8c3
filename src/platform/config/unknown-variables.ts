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
  return unknownNames(names, settings).flatMap(({ name, nearest }) => {
    if (nearest !== undefined) return sentence(name, nearest);
    return name.includes('_') && families.has(firstWord(name)) ? `The environment variable ${name} is not a setting and is ignored.` : [];
  });
}

/** A sentence for each name that is no setting but resembles one. */
export function misspeltVariables(names: readonly string[], settings: readonly Setting[]): string[] {
  return unknownNames(names, settings).flatMap(({ name, nearest }) => (nearest === undefined ? [] : sentence(name, nearest)));
}

function sentence(name: string, nearest: string): string {
  return `The environment variable ${name} is not a setting and is ignored; did you mean ${nearest}?`;
}

function unknownNames(names: readonly string[], settings: readonly Setting[]): { name: string; nearest: string | undefined }[] {
  const known = settings.flatMap(({ variable, secret }) => (secret ? [variable, `${variable}_FILE`] : [variable]));
  return names
    .filter((name) => !known.includes(name) && !isOfKubernetes(name, names))
    .map((name) => ({ name, nearest: nearestOf(name, known) }));
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

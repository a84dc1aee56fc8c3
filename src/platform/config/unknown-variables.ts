import type { Setting } from '../../kit/internal.js';
import { nearMatches } from '../registry/near-matches.js';

/** Letters that a misspelt name has wrong at most. */
const MISSPELT = 2;
/** A library reads more variables of the family than those that are settings. */
const OF_LIBRARIES: ReadonlySet<string> = new Set(['OTEL']);
/** Names that are shorter resemble too many others. */
const SHORTEST = 6;

/**
 * A sentence for each name that is no setting but resembles one, or begins like several of them (`WEBHOOK_...`).
 * Names of one word, such as PORT, are not compared.
 */
export function unknownVariables(names: readonly string[], settings: readonly Setting[]): string[] {
  const known = settings.flatMap(({ variable, secret }) => (secret ? [variable, `${variable}_FILE`] : [variable]));
  const compound = settings.map(({ variable }) => variable).filter((name) => name.includes('_') && name !== 'NODE_ENV');
  const firstWords = compound.map(firstWord);
  const families = new Set(firstWords.filter((word, index) => firstWords.indexOf(word) !== index && !OF_LIBRARIES.has(word)));
  return names.flatMap((name) => {
    if (known.includes(name) || !name.includes('_') || name.length < SHORTEST) return [];
    const nearest = nearMatches(name, compound, MISSPELT).at(0);
    if (nearest !== undefined) return `The environment variable ${name} is not a setting and is ignored; did you mean ${nearest}?`;
    return families.has(firstWord(name)) ? `The environment variable ${name} is not a setting and is ignored.` : [];
  });
}

function firstWord(name: string): string {
  return name.slice(0, name.indexOf('_'));
}

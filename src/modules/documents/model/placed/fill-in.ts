import type { PlacedField } from '../records/document-file.entity.js';
import { isEntered, isOpen, readPlaced, type ValueFault } from './placed-values.js';

/** What a party has filled in. */
export interface FilledIn {
  /** In the form in which they are stored, by key. */
  values: Record<string, string>;
  faults: { field: PlacedField; fault: ValueFault }[];
}

/** Reads what a party typed and chose into its fields; `given` null is a page that was not sent yet. */
export function fillIn(
  fields: readonly PlacedField[],
  party: string,
  given: Readonly<Record<string, unknown>> | null,
  language: string,
): FilledIn {
  const values: Record<string, string> = {};
  const faults: FilledIn['faults'] = [];
  for (const field of fields) {
    if (field.party !== party || !isEntered(field)) continue;
    const isGiven = given !== null && isOpen(field);
    const entered = isGiven ? (Object.hasOwn(given, field.key) ? given[field.key] : '') : (field.default ?? '');
    const read = readPlaced(field, entered, language);
    if ('fault' in read) faults.push({ field, fault: read.fault });
    else if (read.value !== null) values[field.key] = read.value;
  }
  return { values, faults };
}

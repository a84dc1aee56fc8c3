import { exampleDay } from '../../../model/core/typed-days.js';
import { exampleNumber } from '../../../model/core/typed-numbers.js';
import { fillIn, type Filling } from '../../../model/placed/fill-in.js';
import { writtenValue, type ValueFault } from '../../../model/placed/placed-values.js';
import type { PlacedField } from '../../../model/core/placed-fields.js';
import { placedTextsIn } from '../../../pages/texts/placed-texts.js';

/** What is wrong with a value, for the party. */
export function faultText({ kind }: PlacedField, { rule, limit = '' }: ValueFault, language: string): string {
  const { faults, limits, examples } = placedTextsIn(language);
  if (rule === 'required')
    return kind === 'checkbox' ? faults.tick : kind === 'choice' || kind === 'list' ? faults.choose : faults.required;
  if (rule === 'number') return examples.number(exampleNumber(language, null));
  if (rule === 'date') return examples.date(exampleDay(language));
  return rule === 'max_length' || rule === 'decimals' || rule === 'min' || rule === 'max' ? limits[rule](limit) : faults[rule];
}

/** What a page shows of a field while its party fills it in. */
export interface FieldState {
  shown: boolean;
  /** As the party reads it. */
  value: string;
  problem: string | null;
}

/** The states of the fields of a party, by key. */
export function fieldStates(filling: Filling): Record<string, FieldState> {
  const { fields, party, language } = filling;
  const { values, faults, hidden } = fillIn(filling);
  const stateOf = (field: PlacedField): FieldState => {
    const fault = faults.find((one) => one.field === field)?.fault;
    const value = Object.hasOwn(values, field.key) ? writtenValue(field, values[field.key], language) : '';
    return { shown: !hidden.has(field.key), value, problem: fault ? faultText(field, fault, language) : null };
  };
  return Object.fromEntries(fields.filter((field) => field.party === party).map((field) => [field.key, stateOf(field)]));
}

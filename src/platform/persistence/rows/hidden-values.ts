import type { CustomFieldValues } from '../../../kit/index.js';

const hidden = new WeakMap<CustomFieldValues, CustomFieldValues>();

/** The values without those of some keys, which a change of the row keeps. */
export function hideValues(values: CustomFieldValues, keys: readonly string[]): CustomFieldValues {
  if (!keys.some((key) => Object.hasOwn(values, key))) return values;
  const [shown, kept]: CustomFieldValues[] = [{}, {}];
  for (const [key, value] of Object.entries(values)) (keys.includes(key) ? kept : shown)[key] = value;
  hidden.set(shown, kept);
  return shown;
}

/** What `hideValues` has left out. */
export function hiddenValues(values: CustomFieldValues): CustomFieldValues {
  return hidden.get(values) ?? {};
}

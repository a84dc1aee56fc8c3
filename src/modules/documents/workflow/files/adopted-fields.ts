import { isKeyOfPlace } from '../../engine/content/field-tokens.js';
import type { PlacedField } from '../../model/core/placed-fields.js';
import { dependenciesOf } from '../../model/placed/check-placed.js';
import { EXPRESSION_RULES, namesIn } from '../../model/placed/placed-expressions.js';

const LONGEST_STEM = 55;

/**
 * What stood on files of another document, as it stands on those of this. `others`: what stands on its other files; `known`: those of
 * them that expressions may name.
 */
export function adoptedFields<F extends PlacedField>(
  given: readonly F[],
  parties: readonly { key: string }[],
  others: readonly PlacedField[],
  known: readonly PlacedField[] = [],
): F[] {
  const fields = withoutDependents(
    given.filter(({ party }) => parties.some(({ key }) => key === party)),
    known,
  );
  const taken = new Set([...fields, ...others].map(({ key }) => key));
  const isFree = (key: string) => !isKeyOfPlace(key) && !others.some((other) => other.key === key);
  const keys = new Map<string, string>();
  for (const { key } of fields) {
    const free = isFree(key) ? key : freeKey(key.slice(0, LONGEST_STEM), taken);
    taken.add(free);
    keys.set(key, free);
  }
  return fields.map((field) => ({ ...field, ...rulesOf(field, keys), key: keys.get(field.key) as string }));
}

/** Without fields whose expressions name one that is not there. */
function withoutDependents<F extends PlacedField>(fields: F[], known: readonly PlacedField[]): F[] {
  const named = [...known, ...fields];
  const kept = fields.filter((field) => [...dependenciesOf(field)].every((name) => named.some(({ key }) => key === name)));
  return kept.length === fields.length ? kept : withoutDependents(kept, known);
}

function freeKey(stem: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${stem}_${number}`)) number++;
  return `${stem}_${number}`;
}

/** The expressions of a field with other keys. */
function rulesOf(field: PlacedField, keys: ReadonlyMap<string, string>): Partial<PlacedField> {
  return Object.fromEntries(
    EXPRESSION_RULES.flatMap((rule) => {
      let text = field[rule] ?? null;
      if (text === null) return [];
      // from the end, so that the offsets before stay
      for (const { name, at } of namesIn(text).sort((one, other) => other.at - one.at))
        text = text.slice(0, at) + (keys.get(name) ?? name) + text.slice(at + name.length);
      return [[rule, text]];
    }),
  );
}

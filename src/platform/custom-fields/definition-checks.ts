import { CommonErrors, invalid, isCurrency, type BaseEntity } from '../../kit/index.js';
import { CUSTOM_FIELD_TYPES } from '../persistence/rows/custom-field-definitions.js';
import { mergeFields } from '../persistence/rows/custom-field-rules.js';
import type { CustomField } from './custom-field.entity.js';
import { MOST_FIELDS, MOST_FILTERABLE } from './custom-field-limits.js';

const NOT_FILTERABLE = ['long_text'];
const NOT_UNIQUE = ['long_text', 'boolean', 'choices'];

/** What a member defines. */
export type Definition = Omit<CustomField, keyof BaseEntity | 'position'>;

function overlaps(one: Pick<CustomField, 'project_id'>, other: Pick<CustomField, 'project_id'>): boolean {
  return one.project_id === null || other.project_id === null || one.project_id === other.project_id;
}

export function requireFreeKey(field: Definition, others: readonly CustomField[]): void {
  const same = others.find((other) => other.key === field.key && overlaps(field, other));
  if (!same) return;
  const where = same.deleted_at === null ? 'exists already' : 'was deleted and can still be restored; restore it or choose another key';
  throw CommonErrors.duplicate({ param: 'key', message: `key ${field.key} ${where}: ${same.id}`, extra: { existing_id: same.id } });
}

/** In the project that has the most of them. */
export function requireLimits(field: Definition, others: readonly CustomField[]): void {
  const near = others.filter((other) => overlaps(field, other));
  requireFewer(near, MOST_FIELDS, 'custom fields');
  if (field.filterable)
    requireFewer(
      near.filter(({ filterable }) => filterable),
      MOST_FILTERABLE,
      'filterable custom fields',
    );
}

function requireFewer(fields: readonly CustomField[], most: number, what: string): void {
  const shared = fields.filter(({ project_id }) => project_id === null).length;
  const own = Map.groupBy(
    fields.filter(({ project_id }) => project_id !== null),
    ({ project_id }) => project_id,
  );
  if (shared + Math.max(0, ...[...own.values()].map(({ length }) => length)) < most) return;
  throw CommonErrors.resourceConflict({ message: `A resource can have at most ${most} ${what} in a project; delete one first.` });
}

export function requireCurrencyOf(type: string, currency: string | null): string | null {
  if (type !== 'money') {
    if (currency !== null) throw invalid('currency', 'is only for money');
    return null;
  }
  if (currency === null) throw CommonErrors.missingFields({ param: 'currency', message: 'currency is required for money' });
  const code = currency.toUpperCase();
  if (!isCurrency(code)) throw invalid('currency', 'must be an ISO 4217 code, for example EUR');
  return code;
}

/** With the default as its type writes it. Throws if its parts do not fit each other. */
export function consistent<D extends Definition>(field: D): D {
  const { type, options, unique, filterable } = field;
  const isChoice = type === 'choice' || type === 'choices';
  if (isChoice !== options.length > 0)
    throw invalid('options', isChoice ? `must list the values of a ${type}` : 'are only for choice and choices');
  const comma = options.findIndex((option) => option.includes(','));
  if (filterable && comma >= 0)
    throw invalid(`options.${comma}`, 'must not contain a comma if the field is filterable, because it separates values');
  if (filterable && NOT_FILTERABLE.includes(type)) throw invalid('filterable', `must be false for ${type}`);
  if (unique && NOT_UNIQUE.includes(type)) throw invalid('unique', `must be false for ${type}`);
  if (unique && !filterable) throw invalid('filterable', 'must be true for a unique field');
  if (field.default_value === null) return field;
  if (unique) throw invalid('default_value', 'must not be given for a unique field');
  if (!DEFAULTABLE.has(type)) throw invalid('default_value', `cannot be given for ${type}`);
  return { ...field, default_value: checkedDefault(field) };
}

/** A default is not looked up again for each record, so it refers to nothing. */
const DEFAULTABLE = new Set<string>(CUSTOM_FIELD_TYPES.filter((type) => type !== 'member'));

function checkedDefault(field: Definition): unknown {
  const definition = { ...field, id: '', key: 'default_value', required: false, default_value: null, project_key: null };
  const { values } = mergeFields([definition], { default_value: field.default_value }, { before: {}, isComplete: false, param: '' });
  return values['default_value'];
}

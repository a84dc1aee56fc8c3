import { html, type Html } from '../../../kit/index.js';
import type { CustomFieldDto } from '../../../kit/internal.js';
import { badge } from '../../components/badge.js';
import type { Form } from '../../frame/form.js';
import type { Values } from '../../frame/values.js';
import type { Visit } from '../../frame/visit.js';

export const FIELDS_PATH = '/settings/custom-fields';

interface Resource {
  resource: string;
  types: readonly string[];
}

export async function resourcesOf(visit: Visit): Promise<readonly Resource[]> {
  return (await visit.get<{ resources: Resource[] }>('/custom-fields/resources')).resources;
}

/** `inventory_item`: Inventory item. */
export function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const TYPES: Readonly<Record<string, string>> = { choices: 'Several choices', url: 'URL', money: 'Amount of money' };

export function typeWords(type: string): string {
  return TYPES[type] ?? wordsOf(type);
}

const INDEX_WORDS: Readonly<Record<string, readonly [string, 'good' | 'warn' | undefined]>> = {
  none: ['Not filterable', undefined],
  building: ['Index is being built', 'warn'],
  ready: ['Filterable', 'good'],
  unavailable: ['Without index', 'warn'],
};

export function indexBadge({ index }: CustomFieldDto): Html {
  const [words, tone] = INDEX_WORDS[index];
  return badge(words, tone);
}

const hasChoices = (type: string) => type === 'choice' || type === 'choices';

/** The fields that a new custom field and an existing one have in common; the style hides those of other types than the chosen one. */
export function commonFields(form: Form, field: Partial<CustomFieldDto>): Html {
  const text = (name: string, label: string, value: string | null | undefined, hint?: string) =>
    form.text({ name, label, value, hint, isOptional: true });
  const choices = html`<div${field.type === undefined && html` class="if-choice"`}>${form.area({
    name: 'options',
    label: 'Choices',
    hint: 'One per line.',
    isOptional: true,
    value: field.options?.join('\n'),
  })}</div>`;
  return html`${form.area({ name: 'description', label: 'What it is for', isOptional: true, value: field.description })}
${(field.type === undefined || hasChoices(field.type)) && choices}
${text('group', 'Group', field.group, 'The heading under which forms show it.')}
${text('default_value', 'Default', defaultText(field.default_value), 'The value of new records that are created without one.')}
${form.tick({ name: 'required', label: 'New records must have a value', checked: field.required })}
${form.tick({ name: 'unique', label: 'No two records have the same value', checked: field.unique })}
${form.tick({
  name: 'filterable',
  label: 'Lists can be filtered and sorted by it',
  hint: 'An index is built.',
  checked: field.filterable,
})}`;
}

export function commonValues(values: Values, type: string): object {
  return {
    label: values.text('label'),
    description: values.optional('description'),
    ...(hasChoices(type) && { options: values.lines('options') }),
    group: values.optional('group'),
    default_value: defaultValue(values.optional('default_value'), type),
    required: values.has('required'),
    unique: values.has('unique'),
    filterable: values.has('filterable') || values.has('unique'),
  };
}

function defaultText(value: unknown): string {
  return value === null || value === undefined ? '' : [value].flat().join(', ');
}

function defaultValue(text: string | null, type: string): unknown {
  if (text === null) return null;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return type === 'choices' ? text.split(',').map((item) => item.trim()) : text;
}

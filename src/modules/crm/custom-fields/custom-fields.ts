import type { CustomFieldCatalog, CustomFieldDefinition, Ctx } from '../../../kit/index.js';

/** The types that the routes of this module name; fields of other types are made with the routes for custom fields. */
export const CUSTOM_FIELD_TYPES = ['text', 'number', 'boolean', 'date', 'select', 'multi_select', 'url'] as const;

export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

export const CUSTOM_FIELD_RESOURCES = ['lead', 'contact', 'deal'] as const;

export type CustomFieldResource = (typeof CUSTOM_FIELD_RESOURCES)[number];

/** The types as custom fields have them. */
export const NEW_TYPES: Readonly<Record<CustomFieldType, string>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  select: 'choice',
  multi_select: 'choices',
  url: 'url',
};

const NAMES = new Map(Object.entries(NEW_TYPES).map(([name, type]) => [type, name]));

/** The type as the routes of this module name it. */
export function typeName(type: string): string {
  return NAMES.get(type) ?? type;
}

/** The custom fields of which leads of a project can get a value, with the names of types here. */
export async function leadFieldsOf(catalog: CustomFieldCatalog, ctx: Ctx, projectId: string): Promise<CustomFieldDefinition[]> {
  const fields = await catalog.definitions(ctx, 'lead', projectId);
  return fields.map((field) => ({ ...field, type: typeName(field.type) }));
}

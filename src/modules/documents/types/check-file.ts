import { CommonErrors, type ErrorDetail } from '../../../kit/index.js';
import { typeAt, type FieldSchema } from '../model/core/field-schema.js';
import { placedProblems } from '../model/placed/check-placed.js';
import type { PlacedField, PlacedValue } from '../model/core/placed-fields.js';
import type { TypeDefinition } from '../model/types/type-definition.js';
import { uploadedFiles, type FilesOfType } from '../model/types/type-file.js';
import { templateFields } from './check-definition.js';

const PRINTED = ['string', 'number', 'integer', 'boolean'];

/** Rejects values that are not fields of the schema, or tables. `at`: the path of their list. */
export function requireValues(values: readonly PlacedValue[], schema: FieldSchema, at: string): void {
  refuse(valueProblems(values, schema, at));
}

/** What stands on the other files of a type. `except`: the id of a further file, null for what documents consist of, undefined for none. */
export function fieldsBeside(type: FilesOfType & { draft: TypeDefinition }, except: string | null | undefined): PlacedField[] {
  const uploaded = uploadedFiles(type).flatMap(({ id, file }) => (id === except ? [] : file.fields));
  return type.file || except === null ? uploaded : [...templateFields(type.draft), ...uploaded];
}

/** Rejects files whose fields and values the draft lacks: it may have changed since they were placed. */
export async function requireFiles(type: FilesOfType & { draft: TypeDefinition }): Promise<void> {
  const { signature_parties, field_schema } = type.draft;
  for (const { at, id, file } of uploadedFiles(type)) {
    const on = { parties: signature_parties, pages: file.pages, others: fieldsBeside(type, id) };
    refuse([...(await placedProblems(file.fields, on, `${at}.fields`)), ...valueProblems(file.values, field_schema, `${at}.values`)]);
  }
}

function valueProblems(values: readonly PlacedValue[], schema: FieldSchema, at: string): ErrorDetail[] {
  return values.flatMap(({ data_field }, index): ErrorDetail[] => {
    const type = typeAt(schema, data_field);
    if (type !== null && PRINTED.includes(type)) return [];
    const problem = type === null ? 'which is not a field of field_schema' : `which has the type ${type}`;
    const param = `${at}.${index}.data_field`;
    return [{ param, code: 'invalid_value', message: `${param} names ${data_field}, ${problem}` }];
  });
}

function refuse(details: ErrorDetail[]): void {
  if (details.length > 0)
    throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, allowed: details[0].allowed, details });
}

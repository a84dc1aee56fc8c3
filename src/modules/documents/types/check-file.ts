import { CommonErrors, type ErrorDetail } from '../../../kit/index.js';
import { typeAt, type FieldSchema } from '../model/core/field-schema.js';
import { placedProblems } from '../model/placed/check-placed.js';
import type { PlacedValue } from '../model/core/placed-fields.js';
import type { TypeDefinition } from '../model/types/type-definition.js';
import type { TypeFile } from '../model/types/type-file.js';

const PRINTED = ['string', 'number', 'integer', 'boolean'];

/** Rejects values that are not fields of the schema, or tables. `at`: the path of their list. */
export function requireValues(values: readonly PlacedValue[], schema: FieldSchema, at: string): void {
  refuse(valueProblems(values, schema, at));
}

/** Rejects a file whose fields and values the definition lacks: it may have changed since they were placed. */
export async function requireFile({ fields, values, pages }: TypeFile, { signature_parties, field_schema }: TypeDefinition): Promise<void> {
  refuse([
    ...(await placedProblems(fields, { parties: signature_parties, pages }, 'file.fields')),
    ...valueProblems(values, field_schema, 'file.values'),
  ]);
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

import type { ValueType } from '../expressions/expression.js';
import { propertyOf, type FieldProperty, type FieldSchema, type ScalarField } from './field-schema.js';

const CURRENCY = /^[A-Z]{3}$/;

/** The type of a field in expressions, or of a column as `items.price`; undefined if the schema has none of that name. */
export function typeOf(schema: Pick<FieldSchema, 'properties'>, path: string): ValueType | undefined {
  const [name, column, ...rest] = path.split('.');
  const field = propertyOf(schema, name);
  if (column === undefined || field === undefined) return field && valueType(field);
  if (field.type !== 'array' || rest.length > 0) return undefined;
  const property = propertyOf(field.items, column) as ScalarField | undefined;
  return property && valueType(property, { table: name, columns: field.items.properties });
}

function valueType(property: FieldProperty, of?: { table: string; columns: object }): ValueType {
  if (property.type === 'array') return { kind: 'table' };
  const options = Array.isArray(property.enum) ? (property.enum as unknown[]) : undefined;
  if (property['x-format'] === 'money') {
    const currency = property['x-currency'] ?? '';
    const isColumn = of && !CURRENCY.test(currency) && Object.hasOwn(of.columns, currency);
    return { kind: 'money', currency: isColumn ? `${of.table}.${currency}` : currency, options };
  }
  if (property.type === 'integer' || property.type === 'number') return { kind: 'number', isWhole: property.type === 'integer', options };
  if (property.type === 'boolean') return { kind: 'boolean', options };
  const kind = property.format === 'date' ? 'date' : property.format === 'date-time' ? 'time' : 'text';
  return { kind, options };
}

import { Injectable } from '@nestjs/common';
import { CustomFieldCatalog, sql, Store, type Ctx, type CustomFieldDefinition, type Sql } from '../../../../../kit/index.js';
import { DocumentType } from '../../../model/types/document-type.entity.js';
import { TypeVersions } from '../../../model/types/type-versions.js';
import { periodOf, type Columns, type ColumnType, type PgType, type ReportColumn } from './columns.js';
import { DATASET } from './datasets.js';
import type { ReportDefinition } from './report.entity.js';

interface Field {
  type: string;
  format?: unknown;
  'x-label'?: unknown;
}

/** Keys of columns that are fields of a type, or custom fields. */
const FIELD = /^(data_values|custom_fields)\.([A-Za-z][A-Za-z0-9_]{0,62})$/;

/**
 * The columns of a report: those of its dataset and, for documents, custom fields and the scalar fields of the selected types. Types change
 * and may use one name for different things, so a value whose JSON type differs from the column's type reads as null.
 */
@Injectable()
export class ReportFields {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly catalog: CustomFieldCatalog,
  ) {}

  /** `lenient`: a field that no type defines any longer is a string column, so that saved reports keep running. */
  async columns(ctx: Ctx, report: ReportDefinition, lenient = false): Promise<Columns> {
    const { columns } = DATASET[report.dataset];
    const named = JSON.stringify([report.columns, report.group_by, report.aggregates, report.sort, report.filters]);
    const has = (column: string) => report.dataset === 'documents' && named.includes(`${column}.`);
    const fields = has('data_values') ? await this.fields(ctx, report.filters['type_code']) : null;
    const custom = has('custom_fields') ? await this.customFields(ctx) : null;
    const exact: Columns = (key) => {
      const [, of, name] = FIELD.exec(key) ?? [];
      if (of === 'custom_fields' && custom) return customColumn(key, name, custom.get(name), lenient);
      if (of !== 'data_values' || !fields) return columns.get(key) ?? null;
      const field = fields.get(name) ?? (lenient ? { type: 'string' } : undefined);
      return field ? fieldColumn(key, name, field) : null;
    };
    return (key) => {
      const [, base, period] = /^(.+)\.([a-z]+)$/.exec(key) ?? [];
      const column = exact(key);
      if (column || !base) return column;
      const whole = exact(base);
      return whole && periodOf(whole, period);
    };
  }

  /** Of all projects; a field whose type differs between them is a text. */
  private async customFields(ctx: Ctx): Promise<Map<string, CustomFieldDefinition>> {
    const fields = new Map<string, CustomFieldDefinition>();
    for (const field of await this.catalog.definitions(ctx, 'document', ctx.projectId)) {
      const known = fields.get(field.key);
      fields.set(field.key, !known || known.type === field.type ? field : { ...known, type: 'text' });
    }
    return fields;
  }

  /** The scalar fields of the types in the filter, or of all types; a field whose type differs between them is a string. */
  private async fields(ctx: Ctx, typeCodes: unknown): Promise<Map<string, Field>> {
    const codes = [typeCodes].flat().filter((code) => typeof code === 'string');
    const types = await this.store.list(ctx, DocumentType, codes.length > 0 ? { code: codes } : {});
    const version = await this.versions.all(
      ctx,
      types.flatMap(({ id, published_version }) => (published_version === null ? [] : [{ type_id: id, type_version: published_version }])),
    );
    const fields = new Map<string, Field>();
    for (const { id, published_version, draft } of types) {
      const { field_schema } = published_version === null ? draft : version(id, published_version).definition;
      for (const [name, field] of Object.entries((field_schema as { properties: Record<string, Field> }).properties)) {
        if (field.type === 'array') continue;
        const known = fields.get(name);
        fields.set(
          name,
          !known || (known.type === field.type && known.format === field.format) ? field : { ...known, type: 'string', format: undefined },
        );
      }
    }
    return fields;
  }
}

const JSON_TYPES: Readonly<Record<string, string>> = { integer: 'integer', money: 'integer', number: 'number', boolean: 'boolean' };
const OF_TYPES = { values: sql`t.data_values`, isDecimal: false };

/** The values of a field that is deleted are hidden, in saved reports too. */
function customColumn(key: string, name: string, field: CustomFieldDefinition | undefined, lenient: boolean): ReportColumn | null {
  if (!field) return lenient ? { key, label: name, type: 'string', sql: sql`NULL::text` } : null;
  const { type, label } = field;
  const format = type === 'date' ? 'date' : undefined;
  const from = { values: sql`t.custom_fields`, isDecimal: type === 'decimal' };
  return fieldColumn(key, name, { type: JSON_TYPES[type] ?? 'string', format, 'x-label': label }, from);
}

function fieldColumn(key: string, name: string, field: Field, { values, isDecimal } = OF_TYPES): ReportColumn {
  const value = sql`${values} -> ${name}::text`;
  const text = sql`${values} ->> ${name}::text`;
  const label = typeof field['x-label'] === 'string' ? field['x-label'] : name;
  const of = (type: ColumnType, json: Sql, expression: Sql, cast?: PgType): ReportColumn => ({
    key,
    label,
    type,
    cast,
    sql: sql`(CASE WHEN jsonb_typeof(${value}) = ${json} THEN ${expression} END)`,
  });
  if (field.type === 'number' || field.type === 'integer') return of('number', sql`'number'`, sql`(${text})::numeric`);
  if (isDecimal)
    return { key, label, type: 'number', sql: sql`(CASE WHEN ${text} ~ '^-?[0-9]+([.][0-9]+)?$' THEN (${text})::numeric END)` };
  if (field.type === 'boolean') return of('boolean', sql`'boolean'`, sql`(${text})::boolean`);
  // dates stay text: they sort the same, and an invalid date such as 2026-02-30 cannot fail the query
  if (field.format === 'date') return of('date', sql`'string'`, text, 'text');
  return { key, label, type: 'string', sql: sql`(${text})` };
}

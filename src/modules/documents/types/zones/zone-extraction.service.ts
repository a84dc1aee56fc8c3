import { Injectable } from '@nestjs/common';
import { CommonErrors, DomainError, isObject, Store, type Ctx, type ErrorDetail } from '../../../../kit/index.js';
import { checkValues } from '../../model/core/data-values.js';
import { columnsOf, fieldAt, propertyOf, type FieldSchema, type ScalarField } from '../../model/core/field-schema.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import type { ZoneContent } from '../../engine/reading/zone-text.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import type { ZoneDto } from './zones.dto.js';
import type { ExtractedZoneDto, ZoneExtractionDto } from './zone-extraction.dto.js';
import { separatorOf, zoneValue } from './zone-values.js';
import { Zones } from './zones.service.js';

const LONGEST_TEXT = 2_000;

/** Reads the values of a filled-in form by the zones of its type. Nothing is stored. */
@Injectable()
export class ZoneExtraction {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly zones: Zones,
    private readonly typesetter: PdfTypesetter,
  ) {}

  /** The fields that zones refer to: those of the published version, or of the draft if there is none. */
  async schema(ctx: Ctx, typeId: string): Promise<FieldSchema> {
    return (await this.definition(ctx, typeId)).field_schema;
  }

  async extract(ctx: Ctx, typeId: string, pdf: Buffer): Promise<ZoneExtractionDto> {
    const { field_schema: schema, language } = await this.definition(ctx, typeId);
    const { zones, version } = await this.zones.of(ctx, typeId);
    if (zones.length === 0)
      throw CommonErrors.validationFailed({
        param: 'zones',
        message: 'The type has no zones; set them with replace_org_document_type_zones.',
      });
    const places = zones.map((zone) => ({ ...zone, separator: separatorOf(propertyOf(schema, zone.field.split('.')[0])) }));
    const read = await this.typesetter.zones(pdf, places);
    if ('problem' in read) throw CommonErrors.validationFailed({ param: 'file', message: `The file ${read.problem}.` });
    const values: Record<string, unknown> = {};
    const results: ExtractedZoneDto[] = [];
    // amounts come last: the currency decides how many decimals they have
    const isAmount = ({ field }: ZoneDto) => Number(fieldAt(schema, field)?.['x-format'] === 'money');
    for (const [index, zone] of [...zones.entries()].sort(([, one], [, other]) => isAmount(one) - isAmount(other))) {
      const content = read.contents[index];
      results[index] = content
        ? resultOf(zone, content.lines.join('\n'), put(values, { schema, language: language ?? 'en' }, zone, content))
        : resultOf(zone, '', `the file has only ${read.count} pages`);
    }
    return { object: 'zone_extraction', type_id: typeId, zones_version: version, pages: read.count, ...checked(schema, values, results) };
  }

  private async definition(ctx: Ctx, typeId: string): Promise<TypeDefinition> {
    const { published_version, draft } = await this.store.get(ctx, DocumentType, typeId);
    return published_version === null ? draft : (await this.versions.get(ctx, typeId, published_version)).definition;
  }
}

function resultOf({ field, page, kind }: ZoneDto, text: string, problem: string | null): ExtractedZoneDto {
  return { field, page, kind, text: text === '' ? null : text.slice(0, LONGEST_TEXT).toWellFormed(), problem };
}

/** Adds the value of a zone; a zone of a table's column has one line for each row. Returns what went wrong. */
function put(
  values: Record<string, unknown>,
  { schema, language }: { schema: FieldSchema; language: string },
  zone: ZoneDto,
  content: ZoneContent,
): string | null {
  const [name, column] = zone.field.split('.');
  const property = propertyOf(schema, name);
  if (!property) return 'the type no longer has this field';
  if (property.type !== 'array') {
    const { value, problem } = zoneValue(
      zone,
      property,
      { text: content.lines.join(separatorOf(property) ?? ''), ticked: content.ticked, match: content.matches[0] ?? null },
      { currency: currencyOf(property, values), language },
    );
    if (value !== null) values[name] = value;
    return problem;
  }
  const cell = column === undefined ? undefined : columnsOf(property, (one) => values[one])[column];
  if (!cell) return `a table is read by its columns; use zones for fields such as ${name}.${Object.keys(property.items.properties)[0]}`;
  const rows = (values[name] ??= []) as Record<string, unknown>[];
  const problems = content.lines.map((line, index) => {
    const row = (rows[index] ??= {});
    const { value, problem } = zoneValue(
      zone,
      cell,
      { text: line, ticked: null, match: content.matches[index] ?? null },
      { currency: currencyOf(cell, row), language },
    );
    if (value !== null) row[column] = value;
    return problem === null ? null : `row ${index + 1} ${problem}`;
  });
  return problems.find((problem) => problem !== null) ?? null;
}

function currencyOf({ 'x-currency': named }: ScalarField, siblings: Record<string, unknown>): string | null {
  const value = named !== undefined && Object.hasOwn(siblings, named) ? siblings[named] : named;
  return typeof value === 'string' ? value : null;
}

/** Drops values that the type does not accept, and says so at their zones. */
function checked(schema: FieldSchema, values: Record<string, unknown>, zones: ExtractedZoneDto[]) {
  const problems = problemsOf(schema, values);
  for (const { param, message } of problems) {
    const [name, row, column] = param.split('.').slice(1);
    const field = column === undefined ? name : `${name}.${column}`;
    for (const zone of zones) if (zone.field === field) zone.problem ??= message.slice(param.length + 1);
    const rows = values[name];
    if (column !== undefined && Array.isArray(rows) && isObject(rows[Number(row)]))
      delete (rows[Number(row)] as Record<string, unknown>)[column];
    else delete values[name];
  }
  const { values: data_values, missing } = checkValues(schema, values);
  return { data_values, missing_required_fields: missing, zones };
}

function problemsOf(schema: FieldSchema, values: Record<string, unknown>): readonly ErrorDetail[] {
  try {
    checkValues(schema, values);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.occurrence.details ?? [];
  }
}

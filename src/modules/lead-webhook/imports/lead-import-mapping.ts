import { CommonErrors, fieldsOf } from '../../../kit/index.js';
import { UpdateLeadDto } from '../../crm/crm.public.js';

/** The fields that a column can be mapped to, in addition to `custom_fields.<key>`. */
const IMPORT_FIELDS = [...fieldsOf(UpdateLeadDto).keys()].filter((name) => name !== 'owner_id' && name !== 'custom_fields');

export const CUSTOM_PREFIX = 'custom_fields.';

const MAX_LISTED_COLUMNS = 20;
const MAX_ALLOWED = 50;

export interface Mapping {
  /** Column headings to fields. */
  mapping: Record<string, string>;
  ignored_columns: string[];
}

/**
 * Maps columns to fields: as given, or by their headings when no mapping is given. Rejects unknown columns, unknown fields,
 * and two columns for one field, because either value could be the intended one.
 */
export function mappingOf(
  headings: readonly string[],
  given: Readonly<Record<string, unknown>> | undefined,
  customKeys: readonly string[],
): Mapping {
  const known = [...IMPORT_FIELDS, ...customKeys.map((key) => CUSTOM_PREFIX + key)];
  const mapping = given ? requireMapping(headings, given, known) : mappingByHeadings(headings, known);
  const fields = Object.values(mapping);
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice !== undefined) throw invalid(`mapping maps several columns to the field ${twice}`);
  const repeated = Object.keys(mapping).find((heading) => headings.indexOf(heading) !== headings.lastIndexOf(heading));
  if (repeated !== undefined) throw invalid(`the file has several columns "${repeated}"`);
  if (fields.length === 0) {
    const more = headings.length > MAX_LISTED_COLUMNS ? ' and others' : '';
    const columns = headings.slice(0, MAX_LISTED_COLUMNS).join(', ') + more;
    throw invalid(
      `no column is mapped to a field; the first line of the file has the columns ${columns}; ` +
        'if these are not headings, remove the lines above them',
      known,
    );
  }
  return { mapping, ignored_columns: headings.filter((heading) => !Object.hasOwn(mapping, heading)) };
}

function requireMapping(
  headings: readonly string[],
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Record<string, string> {
  const mapping: Record<string, string> = {};
  for (const [heading, field] of Object.entries(given)) {
    if (!headings.includes(heading)) throw invalid(`mapping names the column "${heading}", which is not in the file`, headings);
    if (field === null) continue;
    if (typeof field !== 'string' || !known.includes(field))
      throw invalid(`mapping maps the column "${heading}" to "${String(field)}", which is not a field`, known);
    mapping[heading] = field;
  }
  return mapping;
}

function mappingByHeadings(headings: readonly string[], known: readonly string[]): Record<string, string> {
  const pairs = headings.map((heading) => [
    heading,
    heading
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  ]);
  const unknown = pairs.find(([, field]) => field.startsWith(CUSTOM_PREFIX) && !known.includes(field));
  if (unknown)
    throw invalid(`the file has the column "${unknown[0]}", for which there is no custom field; map it to another one, or to null`, known);
  return Object.fromEntries(pairs.filter(([, field]) => known.includes(field))) as Record<string, string>;
}

function invalid(message: string, allowed?: readonly string[]) {
  return CommonErrors.validationFailed({ param: 'mapping', message, ...(allowed && allowed.length <= MAX_ALLOWED ? { allowed } : {}) });
}

import { CommonErrors } from '../../../kit/index.js';

/** What a column can be mapped to, beside `custom_fields.<key>`. */
const IMPORT_FIELDS = [
  'full_name',
  'first_name',
  'last_name',
  'email',
  'phone',
  'company_name',
  'job_title',
  'source_id',
  'pipeline_id',
  'status_id',
  'utm_source',
  'utm_campaign',
  'external_id',
  'consent_email',
  'consent_sms',
  'consent_whatsapp',
  'consent_source',
] as const;

export const CUSTOM_PREFIX = 'custom_fields.';

const MOST_NAMED = 20;
const MOST_ALLOWED = 50;

export interface Mapping {
  /** Column headings to fields. */
  mapping: Record<string, string>;
  ignored_columns: string[];
}

/**
 * Which column is which field: as given, or by the headings themselves where nothing is given. Refuses what names no
 * column or no field, and two columns for one field: it would be a guess which of them counts.
 */
export function mappingOf(
  headings: readonly string[],
  given: Readonly<Record<string, unknown>> | undefined,
  customKeys: readonly string[],
): Mapping {
  const known = [...IMPORT_FIELDS, ...customKeys.map((key) => CUSTOM_PREFIX + key)];
  const mapping = given ? checked(headings, given, known) : byHeadings(headings, known);
  const fields = Object.values(mapping);
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice !== undefined) throw refused(`mapping gives the field ${twice} to several columns`);
  const repeated = Object.keys(mapping).find((heading) => headings.indexOf(heading) !== headings.lastIndexOf(heading));
  if (repeated !== undefined) throw refused(`the file has several columns "${repeated}"`);
  if (fields.length === 0)
    throw refused(
      `no column is mapped to a field; the columns are ${headings.slice(0, MOST_NAMED).join(', ')}${headings.length > MOST_NAMED ? ' and others' : ''}`,
      known,
    );
  return { mapping, ignored_columns: headings.filter((heading) => !Object.hasOwn(mapping, heading)) };
}

function checked(headings: readonly string[], given: Readonly<Record<string, unknown>>, known: readonly string[]): Record<string, string> {
  const mapping: Record<string, string> = {};
  for (const [heading, field] of Object.entries(given)) {
    if (!headings.includes(heading)) throw refused(`mapping names the column "${heading}", which the file does not have`, headings);
    if (field === null) continue;
    if (typeof field !== 'string' || !known.includes(field))
      throw refused(`mapping gives the column "${heading}" to "${String(field)}", which is no field`, known);
    mapping[heading] = field;
  }
  return mapping;
}

function byHeadings(headings: readonly string[], known: readonly string[]): Record<string, string> {
  const pairs = headings.map((heading) => [
    heading,
    heading
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  ]);
  return Object.fromEntries(pairs.filter(([, field]) => known.includes(field))) as Record<string, string>;
}

function refused(message: string, allowed?: readonly string[]) {
  return CommonErrors.validationFailed({ param: 'mapping', message, ...(allowed && allowed.length <= MOST_ALLOWED ? { allowed } : {}) });
}

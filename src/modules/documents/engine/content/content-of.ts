import { dayIn } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { valueAt } from '../../model/core/data-values.js';
import type { DocumentContent, PrintedField } from './document-content.js';

/** The content of a document for rendering. Dates are in the time zone of its project. */
export function contentOf(
  document: Document,
  { definition }: DocumentTypeVersion,
  timeZone: string,
  customFields: Readonly<Record<string, PrintedField>>,
): DocumentContent {
  const { number, title, created_at, finalized_at } = document;
  return {
    template: definition.template,
    schema: definition.field_schema,
    values: document.data_values,
    customFields,
    tokens: document.token_values,
    parties: definition.signature_parties.map(({ key, label, name_from }) => ({
      key,
      label,
      name: nameAt(document.data_values, name_from),
    })),
    document: { number, title, created_on: dayIn(timeZone, created_at), finalized_on: finalized_at && dayIn(timeZone, finalized_at) },
    language: definition.language ?? 'en',
    timeZone,
    layout: definition.layout,
    finished: finalized_at !== null,
  };
}

function nameAt(values: Record<string, unknown>, path: string): string | null {
  const name = valueAt(values, path);
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
}

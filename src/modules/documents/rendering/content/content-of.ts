import type { Document } from '../../model/records/document.entity.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { valueAt } from '../../model/core/data-values.js';
import type { DocumentContent } from './document-content.js';

/** The content of a document for rendering. Dates are in the time zone of its project. */
export function contentOf(document: Document, { definition }: DocumentTypeVersion, timeZone: string): DocumentContent {
  const { number, title, created_at, finalized_at } = document;
  return {
    template: definition.template,
    schema: definition.field_schema,
    values: document.data_values,
    parties: definition.signature_parties.map(({ key, label, name_from }) => ({
      key,
      label,
      name: nameAt(document.data_values, name_from),
    })),
    document: { number, title, created_on: dayOf(created_at, timeZone), finalized_on: finalized_at && dayOf(finalized_at, timeZone) },
    language: definition.language ?? 'en',
    finished: finalized_at !== null,
  };
}

function dayOf(time: Date, timeZone: string): string {
  // The Swedish locale formats dates as in ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(time);
}

function nameAt(values: Record<string, unknown>, path: string): string | null {
  const name = valueAt(values, path);
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
}

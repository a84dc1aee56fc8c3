import type { Document } from '../../model/records/document.entity.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import type { DocumentContent } from './document-content.js';

const LANGUAGE = 'en';

/** What a document is rendered from; days are those of its project's time zone. */
export function contentOf(document: Document, { definition }: DocumentTypeVersion, timeZone: string): DocumentContent {
  const { number, title, created_at, finalized_at } = document;
  return {
    template: definition.template,
    schema: definition.field_schema,
    values: document.data_values,
    document: { number, title, created_on: dayOf(created_at, timeZone), finalized_on: finalized_at && dayOf(finalized_at, timeZone) },
    language: LANGUAGE,
    finished: finalized_at !== null,
  };
}

function dayOf(time: Date, timeZone: string): string {
  // Sweden writes days as ISO 8601 does
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(time);
}

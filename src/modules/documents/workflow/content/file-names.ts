import type { Document } from '../../model/records/document.entity.js';
import type { DocumentPart } from './contents.service.js';

type Named = Pick<Document, 'number' | 'title'> & { files: readonly unknown[] };

/**
 * Under which a file of a document is saved, or all of them as one: number and title, with the position and name of a further file before
 * the title, so that names stay different if a long one is shortened.
 */
export function fileNameOf({ number, title, files }: Named, part: Omit<DocumentPart, 'file_id'> | 'all', extension = 'pdf'): string {
  const start = number === null ? '' : `${number} `;
  if (part === 'all') return `${start}${files.length === 0 ? '' : `(1-${files.length + 1}) `}${title}.${extension}`;
  return `${start}${part.position === 1 ? '' : `(${part.position}) ${part.name} - `}${title}.${extension}`;
}

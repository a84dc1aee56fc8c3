import type { PagePictures, PdfSource } from '../../engine/pictures/page-pictures.service.js';
import type { ShownFile } from '../../pages/document-pages.js';
import type { DocumentPart } from './contents.service.js';

/** The files of a document with their pages. */
export function shownFiles(
  parts: readonly DocumentPart[],
  pictures: PagePictures,
  sourceOf: (position: number) => PdfSource,
): Promise<ShownFile[]> {
  return Promise.all(
    parts.map(async ({ position, name }) => ({
      position,
      name,
      pages: await pictures.pages(sourceOf(position)),
    })),
  );
}
